"""The page is served to this machine alone, and nothing else with it."""

import os
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from http.client import HTTPConnection

import pytest

from command_line import Program, rosenblatt
from rosenblatt.lab.serving import PageServer


def test_the_command_serves_the_page_until_interrupted(tmp_path):
    data = tmp_path / "points & more.csv"
    data.write_text("a,b,c\n1,2,u\n3,4,v\n")
    program = subprocess.Popen(
        [sys.executable, "-m", "rosenblatt", "lab", str(data), "--no-browser", "--json"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        url = program.stdout.readline().split('"')[3]
        page = urllib.request.urlopen(url).read()
        opened = urllib.request.urlopen(url.replace("?open=", "opened/")).read()
    finally:
        program.send_signal(signal.SIGINT)
        program.stdout.close()
        ended = program.wait(30)

    assert b"The perceptron lab" in page
    assert opened == data.read_bytes()
    assert ended == 0


def test_an_opened_table_is_offered_as_points(browser, tmp_path):
    data = tmp_path / "flowers.csv"
    data.write_text("long,wide,kind\n5.1,3.5,setosa\n7,3.2,other\n")
    with PageServer(data) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(server.url)
            page.get_by_role("button", name="Show these points").click()
            names = [mark.get_attribute("aria-label") for mark in page.locator(".point").all()]
        server.shutdown()
        thread.join()

    assert names == ["triangle ▲ at 5.1, 3.5", "circle ● at 7, 3.2"]


def test_a_file_that_is_not_there_gets_a_sentence():
    ended = rosenblatt("lab", "nowhere.csv", "--no-browser")

    assert ended.returncode == 1
    assert "Cannot read nowhere.csv" in ended.stderr


def test_a_pipe_a_device_and_a_folder_are_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")

    for file in (tmp_path / "pipe.csv", "/dev/zero", tmp_path):
        ended = rosenblatt("lab", file, "--no-browser")

        assert ended.returncode == 1
        assert "is no plain file" in ended.stderr or "is a directory" in ended.stderr


def test_an_opened_file_that_goes_or_changes_is_not_found(tmp_path, capfd):
    data = tmp_path / "points.csv"
    data.write_text("a,b\n1,2\n")
    with PageServer(data) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        codes = [answer(server.url.split("?")[0], "/opened/points.csv")[0].status]
        data.unlink()
        codes.append(answer(server.url.split("?")[0], "/opened/points.csv")[0].status)
        os.mkfifo(data)
        codes.append(answer(server.url.split("?")[0], "/opened/points.csv")[0].status)
        server.shutdown()
        thread.join()

    assert codes == [200, 404, 404]
    assert capfd.readouterr().err == ""


def test_an_install_without_the_core_says_how_to_get_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("rosenblatt.lab.serving.CORE", tmp_path / "core.wasm")

    said = Program(capsys, tmp_path).complains("lab", "--no-browser", code=2)

    assert "install a wheel, or run make lab in a clone" in said


def test_a_port_that_is_taken_is_named(tmp_path, capsys):
    with PageServer() as server:
        taken = str(server.server_port)
        said = Program(capsys, tmp_path).complains("lab", "--no-browser", "--port", taken, code=2)

    assert f"The port {taken} of 127.0.0.1 is taken" in said


def answer(address, path, **headers):
    host = address.removeprefix("http://").strip("/")
    connection = HTTPConnection(host)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


@pytest.mark.parametrize(
    "path",
    ["/../serving.py", "/%2e%2e/serving.py", "/serving.py", "/opened/x", "//etc/passwd", "/page/"],
)
def test_no_other_file_is_given_out(address, path):
    response, _ = answer(address, path)

    assert response.status == 404


def test_a_page_under_another_name_gets_nothing(address):
    response, _ = answer(address, "/", Host="stranger.example")

    assert response.status == 403


def test_answers_forbid_what_the_page_does_not_need(address):
    response, _ = answer(address, "/")

    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';")
    assert "unsafe-inline" not in policy


def test_a_file_whose_name_is_no_utf8_is_given_out(tmp_path):
    data = tmp_path / os.fsdecode(b"caf\xe9.csv")
    data.write_text("a,b\n1,2\n")

    with PageServer(data) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        opened = urllib.request.urlopen(server.url.replace("?open=", "opened/")).read()
        server.shutdown()
        thread.join()

    assert opened == data.read_bytes()
