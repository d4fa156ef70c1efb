"""Folders of files, a folder for each label."""

import gzip

import pytest
from sklearn.datasets import load_files

from rosenblatt import Cache, cached, open_data
from rosenblatt.readers import folders


@pytest.fixture
def mail(tmp_path):
    """Twenty texts of two labels."""
    for label, words in (("spam", "win a prize"), ("ham", "see you at ten")):
        (tmp_path / "mail" / label).mkdir(parents=True)
        for k in range(10):
            (tmp_path / "mail" / label / f"{k}.txt").write_text(f"{words}\nagain {k} é\n", "utf-8")
    (tmp_path / "mail" / "spam" / ".hidden").write_bytes(b"\0")
    return tmp_path / "mail"


def test_a_folder_gives_what_scikit_learn_loads(mail, monkeypatch):
    monkeypatch.setattr(folders, "FILES", 3)
    (mail / "spam" / ".hidden").unlink()
    loaded = load_files(mail, encoding="utf-8", shuffle=False)

    data = open_data(mail)
    batch = data.whole()

    assert len(list(data.batches())) == 7
    assert list(batch.examples) == loaded.data
    assert batch.labels.tolist() == [loaded.target_names[k] for k in loaded.target]
    assert batch.lines.tolist() == list(range(1, 21))
    assert data.describe() == "a text in each file: the folder is the label"


def test_files_need_no_label_to_be_predicted_from(mail):
    (mail / "loose.txt").write_text("loose")

    batch = open_data(mail, labelled=False).whole()

    assert batch.labels is None
    assert len(batch) == 21
    assert batch.examples[0] == "loose"


def test_files_may_be_packed_and_in_another_encoding(mail):
    for path in [*mail.glob("*/*.txt")]:
        path.with_suffix(".gz").write_bytes(gzip.compress(path.read_text("utf-8").encode("cp1252")))
        path.unlink()

    data = open_data(mail)

    assert data.whole().examples[3] == "see you at ten\nagain 3 é\n"
    assert data.describe().endswith(", in cp1252 (guessed)")


BAD = {
    "not UTF-8": (b"caf\xe9", "the text is not UTF-8"),
    "not text": (b"a\0b", "the file is not text"),
    "long": (b"x" * 2000, "the file is longer than 1000 bytes"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_file_is_named_or_set_aside(fault, mail):
    content, reason = BAD[fault]
    path, rejects = mail / "ham" / "4.txt", []
    path.write_bytes(content)

    with pytest.raises(ValueError, match=f"line 5, column 1: {path}: {reason}; mend the file, or"):
        list(open_data(mail, max_line=1000).batches())
    data = open_data(mail, max_line=1000, rejects=rejects)

    assert data.whole().lines.tolist() == [1, 2, 3, 4, *range(6, 21)]
    assert [(reject.line, reject.reason) for reject in rejects] == [(5, f"{path}: {reason}")]
    assert list(data.rejected) == [5]


def test_a_folder_without_files_in_folders_is_refused(tmp_path):
    with pytest.raises(ValueError, match="holds no files in folders: make a folder for each label"):
        open_data(tmp_path)
    with pytest.raises(ValueError, match="is empty"):
        open_data(tmp_path, labelled=False)
    with pytest.raises(ValueError, match="is a folder: leave out format"):
        open_data(tmp_path, format="csv")


def test_a_cache_of_a_folder_is_made_anew_when_a_file_changes(mail):
    first = cached(mail)
    again = cached(mail)
    (mail / "ham" / "0.txt").write_text("quite another text, and a longer one\n")

    changed = cached(mail)

    assert again.source == first.source
    assert changed.source["size"] != first.source["size"]
    assert Cache.open(f"{mail}.cache").source == changed.source
