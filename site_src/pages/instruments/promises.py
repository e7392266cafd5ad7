"""What the program promises those who publish, read and verify, and the test that holds each promise.

Does: state them once, for the Methods page of every site and for `SECURITY.md`. Does not: say that a test
passed: a version in which one fails is not kept.
"""

from __future__ import annotations

from typing import NamedTuple


class Promise(NamedTuple):
    """One threat.

    Attributes:
        threat: Who does what.
        happens: What comes of it.
        tried: How many of what a whole run of the test tries.
        test: ``file::name`` within the source.
    """

    threat: str
    happens: str
    tried: str
    test: str


PROMISES = (
    Promise(
        "A contract runs a program, opens a socket, reads or writes files",
        "the kernel refuses it (Landlock and seccomp), and the score with it",
        "31 acts, in the cage and outside",
        "tests/core/contracts/test_cage.py::test_each_thing_is_refused_in_the_cage_and_done_outside",
    ),
    Promise(
        "A contract takes the second line of its cage away",
        "the kernel alone still lets nothing out",
        "115 contracts",
        "tests/core/contracts/test_hostile_contracts.py::test_the_kernel_alone_lets_nothing_out",
    ),
    Promise(
        "A contract forges replies, or scores by order, process, clock or path",
        "it is asked one trace at a time in two processes, in other orders, at other times, and is refused",
        "231 contracts of 6 kinds",
        "tests/core/contracts/test_hostile_contracts.py::test_none_is_scored_that_should_not_be",
    ),
    Promise(
        "A site's contract on a verifier's machine without a cage",
        "it is not run; what was not recomputed is named",
        "1 site",
        "tests/journeys/test_published_code.py::test_where_there_is_no_cage_verifying_runs_no_contract_and_says_what_it_did_not_recompute",
    ),
    Promise(
        "A contract that hangs, crashes or eats all memory",
        "its family has no numbers, or the build stops; no run is hidden",
        "1 contract",
        "tests/core/test_engine.py::test_a_crash_after_its_numbers_were_published_is_an_error",
    ),
    Promise(
        "A number, verdict or page of a site is forged",
        "recomputing or making it again finds it",
        "9 forgeries; 10,000 flipped bits in the test of that name",
        "tests/journeys/test_verify.py::test_whatever_is_forged_beside_the_estimates_is_found_by_making_the_site_again",
    ),
    Promise(
        "A forged site names another version, so that less is checked",
        'what was not checked is named, and "holds" is not said',
        "8 forgeries at once",
        "tests/journeys/test_verify.py::test_another_version_named_in_the_site_makes_no_forgery_pass",
    ),
    Promise(
        "A wrong formula in the program itself",
        "a second, separate implementation reads most numbers again",
        "every 7th row of a report on 120 runs, each number by 0.0001",
        "tests/site/verification/test_second_reading.py::test_any_number_that_was_changed_is_a_mismatch",
    ),
    Promise(
        "A site made of links, pipes, devices, huge or repeated paths",
        "only regular files that the manifest lists are opened",
        "6 kinds of file",
        "tests/site/publishing/test_published_site.py::test_what_is_no_regular_file_is_never_opened",
    ),
    Promise(
        "A signature that is cut, altered, of another site or purpose",
        'a fault, never "not signed"',
        "every byte of one",
        "tests/site/signing/test_signing.py::test_a_bit_flipped_anywhere_in_a_signature_is_a_fault",
    ),
    Promise(
        "An older signed site in the place of a newer one",
        "told with `--after`",
        "1 site",
        "tests/site/signing/test_signing.py::test_an_older_site_in_the_place_of_a_newer_one_is_told",
    ),
    Promise(
        "Script in any field of a record",
        "text, in every page and list; nothing runs",
        "200 payloads; every page in Chromium, with the policy and without it",
        "tests/browser/test_hostile_site.py::test_nothing_runs_whatever_is_clicked",
    ),
    Promise(
        "Characters that hide or reorder text",
        "are spelled out",
        "7 texts, in every page",
        "tests/browser/test_hostile_site.py::test_hidden_characters_are_spelled_out",
    ),
    Promise(
        "A formula in a table that a spreadsheet opens",
        "is defused",
        "13 formulas, in every table",
        "tests/browser/test_hostile_site.py::test_no_cell_of_a_table_is_a_formula",
    ),
    Promise(
        "A secret, or a trace of the builder's machine, in records",
        "taken out where it stands, and told",
        "340 secrets of 85 kinds in a site; 1,530 and 20,000 identifiers in the corpus",
        "tests/journeys/test_nothing_leaks.py::test_no_planted_secret_and_no_trace_of_the_builder_is_in_the_site",
    ),
    Promise(
        "A document under the name of a picture, such as an SVG with script named .png",
        "is refused with the line that shows it",
        "6 files under 5 endings",
        "tests/site/project/test_pictures.py::test_another_kind_of_file_under_the_name_of_a_picture_is_refused",
    ),
    Promise(
        "A secret in what a camera or an editor wrote into a picture",
        "the picture is refused",
        "9 pictures",
        "tests/site/project/test_pictures.py::test_a_secret_in_the_text_of_a_picture_is_not_published",
    ),
    Promise(
        "A secret in a path that a command is given",
        "is in nothing that it prints, posts or writes",
        "2 paths, 8 commands",
        "tests/site/gating/test_gate_command.py::test_no_path_that_was_asked_for_brings_a_secret_into_what_is_posted",
    ),
    Promise(
        "A name in a record that a CI takes for a command, or a comment for a link or a mention",
        "is text in its log and its comment",
        "2 and 9 names",
        "tests/site/gating/test_gate_command.py::test_no_line_is_a_command_of_the_ci_that_logs_it",
    ),
    Promise(
        "A file with keys beside the logs",
        "what nothing reads is not published",
        "7 files",
        "tests/journeys/test_nothing_leaks.py::test_it_is_told_where_each_stood_and_what_was_not_published",
    ),
    Promise(
        "A packed file that unfolds without end",
        "bounded by bytes and by ratio",
        "2 packings",
        "tests/core/formats/test_decompression.py::test_a_bomb_does_not_go_off",
    ),
    Promise(
        "A name that leaves its folder, a link, a pipe among logs",
        "is not followed, and is told",
        "81 names, each as 4 things",
        "tests/journeys/test_hostile_inputs.py::test_eighty_names_as_file_folder_link_and_pipe",
    ),
    Promise(
        "A build that is killed, or a disk that fails",
        "the old site or the new one stands, and the message says which",
        "every call of a publication, 4 ways",
        "tests/site/publishing/test_faults.py::test_a_disk_that_is_gone_or_a_program_that_is_killed_is_put_in_order_by_the_next",
    ),
    Promise(
        "A record of an edition that nobody met",
        "is pending until its site stands",
        "1 edition",
        "tests/site/publishing/test_faults.py::test_a_record_is_pending_until_its_site_stands",
    ),
    Promise(
        "A user's own file in the site's folder",
        "is named and stays, or is kept by `keep:`",
        "2 files",
        "tests/site/publishing/test_faults.py::test_what_a_user_put_into_the_site_is_named_and_stays",
    ),
    Promise(
        "One experiment that cannot be read",
        "is withheld alone, and `publish` refuses",
        "2 experiments",
        "tests/journeys/test_withheld_experiments.py::test_they_are_withheld_and_said_to_be",
    ),
    Promise(
        "A page elsewhere that reaches the preview",
        "gets nothing",
        "4 addresses",
        "tests/site/preview/test_preview.py::test_a_page_elsewhere_that_points_its_name_here_gets_nothing",
    ),
    Promise(
        "A damaged or altered file of any kind that is read",
        "is taken or refused with its place; nothing crashes",
        "33 readers; `make fuzz` goes on for ten minutes",
        "tests/fuzz/test_fuzz.py::test_any_bytes_are_taken_or_refused",
    ),
    Promise(
        "A file that changes, or a clock that jumps, while it is read",
        "no number is made of two states of it",
        "5 changes, 4 dates",
        "tests/journeys/test_files_in_motion.py::test_a_file_that_changed_since_its_digest_was_taken_is_never_measured",
    ),
)
"""In the order of `SECURITY.md`."""
