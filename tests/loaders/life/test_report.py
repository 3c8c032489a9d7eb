"""What a load says that it did, and the list of what could not be stored."""

from medgraph.loaders.base import Reject, Remark
from tests.support.loads import counts, document, rejects_of


def test_the_list_of_rejects_is_a_table_whatever_stands_in_it(loading):
    report = loading([document(1), Reject("a\tb\nc\u2028d\x1c.xml", 3, "one\ntwo\tthree \ud800 喘息")])
    assert rejects_of(report) == [
        "record\tkind\tfile\tline\treason",
        "1\treject\ta b c d .xml\t3\tone two three \\ud800 喘息",
    ]


def test_remarks_are_listed_and_nothing_is_lost(loading):
    report = loading([document(1), Remark("file", 3, "the prefix FOO is not known"), document(2)])
    assert (counts(report), report.remarks) == ((2, 0, 0, 0), 1)
    assert report.rejects_file.read_text().splitlines() == [
        "record\tkind\tfile\tline\treason",
        "1\tremark\tfile\t3\tthe prefix FOO is not known",
    ]
    assert report.summary().endswith("0 rejected, 1 remarks")
