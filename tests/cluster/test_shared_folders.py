"""Folders that driver and workers share: where they are, and who may write into them."""

import os
import stat

import pytest

from rosenblatt.cluster.shared_folders import dump, folder_inside, path_of, remove_left


@pytest.mark.parametrize("mode", [0o700, 0o1777, 0o2770])
def test_a_folder_for_a_round_lets_in_whom_the_shared_one_does(tmp_path, mode):
    tmp_path.chmod(mode)

    with folder_inside(str(tmp_path), "round-") as folder:
        found = stat.S_IMODE(os.stat(folder).st_mode)
        dump("weights", os.path.join(folder, "weights"))

    assert found == mode  # where only owners remove files, this goes for what is unpickled, too
    assert not os.path.exists(folder)


def test_what_others_have_put_in_the_place_of_weights_is_not_written_to(tmp_path):
    (tmp_path / "weights").write_bytes(b"of somebody else")

    with pytest.raises(FileExistsError):
        dump("weights", str(tmp_path / "weights"))


def test_what_a_killed_driver_left_is_removed_and_nothing_else(tmp_path):
    names = [f"round-{0:032x}", "round-of-mine", "shards-8"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "weights").touch()

    remove_left(str(tmp_path), "round-")

    assert sorted(os.listdir(tmp_path)) == names[1:]


def test_a_folder_is_a_path_or_a_file_url(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert path_of("checkpointDir", "run") == str(tmp_path / "run")
    for url in ("file:///shared/run", "file:/shared/run"):
        assert path_of("checkpointDir", url) == "/shared/run"
    with pytest.raises(ValueError, match=r"checkpointDir must be a folder that driver and workers"):
        path_of("checkpointDir", "hdfs://nn:8020/run")
