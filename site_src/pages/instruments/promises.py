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
        "its process is ended and said to have crashed; nothing of it is left, and nothing is scored",
        "7 endings",
        "tests/core/contracts/test_scorer_fence.py::test_a_scorer_that_ends_fails_as_a_crash_and_leaves_nothing",
    ),
    Promise(
        "A contract whose process ends once its numbers stand",
        "the build stops: no run is hidden",
        "1 crash",
        "tests/core/test_engine.py::test_a_crash_after_its_numbers_were_published_is_an_error",
    ),
    Promise(
        "A number in a report is forged",
        "measuring the published records again finds it",
        "1 estimate",
        "tests/journeys/test_verify.py::test_a_forged_report_is_found_by_recomputing",
    ),
    Promise(
        "Bits of a site's files are flipped",
        "each file that was altered is named, and no other",
        "10,000 flips, each in a site with one file spared",
        "tests/journeys/test_verify.py::test_bit_flips_are_all_found",
    ),
    Promise(
        "A page, picture, table or file of a site is forged, and its manifest with it",
        "making the site again from the published inputs finds it",
        "9 forgeries at once",
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
        "A signature that was altered",
        "a fault: the site does not hold",
        "a bit of every byte of one",
        "tests/site/signing/test_signing.py::test_a_bit_flipped_anywhere_in_a_signature_is_a_fault",
    ),
    Promise(
        "A signature that was cut",
        "a fault: the site does not hold",
        "every length of one",
        "tests/site/signing/test_signing.py::test_a_signature_cut_anywhere_is_a_fault",
    ),
    Promise(
        "The statement and signature of another site",
        "a fault: the site does not hold",
        "1 site",
        "tests/site/signing/test_signing.py::test_the_statement_of_another_site_is_a_fault",
    ),
    Promise(
        "A signature that its key made for another purpose",
        "a fault: the site does not hold",
        "1 purpose",
        "tests/site/signing/test_signing.py::test_a_signature_made_for_another_purpose_is_a_fault",
    ),
    Promise(
        "An older signed site in the place of a newer one",
        "told with `--after`",
        "3 sites",
        "tests/site/signing/test_signing.py::test_an_older_site_in_the_place_of_a_newer_one_is_told",
    ),
    Promise(
        "A verifier with another Python than the builder's",
        "the site holds all the same: what names the builder's machine is told, and not compared",
        "another Python and numpy named; `make matrix` verifies sites of 3.11 to 3.14 under each other",
        "tests/journeys/test_verify.py::test_what_names_the_builders_machine_is_told_and_not_compared",
    ),
    Promise(
        "A link in prose that a browser would run, or that leads elsewhere than it says",
        "is refused with its line: http, https, mailto, relative paths and headings alone are links",
        "2,203 spellings, 46 schemes among them",
        "tests/site/test_link_policy.py::test_every_scheme_but_three_is_refused_in_every_form",
    ),
    Promise(
        "An arm, task or experiment whose name looks like that of another",
        "both stay apart, and are told with what parts them",
        "37 pairs that look alike",
        "tests/core/test_look_alikes.py::test_names_that_look_alike_are_told_with_what_parts_them",
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
        "340 secrets of 85 kinds in a site",
        "tests/journeys/test_nothing_leaks.py::test_no_planted_secret_and_no_trace_of_the_builder_is_in_the_site",
    ),
    Promise(
        "A secret that an encoding hides",
        "taken out all the same",
        "1,530 texts: 85 kinds in 18 ways of writing",
        "tests/core/redaction/test_secret_corpus.py::test_no_planted_secret_is_published_however_it_is_written",
    ),
    Promise(
        "A secret behind an escape that is escaped itself, up to three within each other",
        "taken out all the same",
        "819 nestings of 9 escapes",
        "tests/core/redaction/test_secret_corpus.py::test_a_secret_is_found_through_three_escapes_within_each_other",
    ),
    Promise(
        "An identifier or a digest that resembles a secret",
        "stays: evidence is not taken out",
        "20,000 identifiers",
        "tests/core/redaction/test_secret_corpus.py::test_no_identifier_and_no_digest_is_taken_for_a_secret",
    ),
    Promise(
        "An identifier with a usual login in it, such as the builder's",
        "stays; the home folder of that login is taken out",
        "3,333 identifiers with each of 6 logins",
        "tests/core/redaction/test_secret_corpus.py::test_no_identifier_with_a_usual_login_in_it_is_taken_for_the_builder",
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
        "is withheld alone, and said to be",
        "2 experiments",
        "tests/journeys/test_withheld_experiments.py::test_they_are_withheld_and_said_to_be",
    ),
    Promise(
        "One experiment that cannot be read, as a site is published",
        "`publish` and `build --strict` refuse, and write nothing; `check` fails",
        "3 commands",
        "tests/journeys/test_withheld_experiments.py::test_what_is_strict_refuses_and_names_the_folder",
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
        "A file that changes while it is read",
        "no number is made of two states of it",
        "5 changes",
        "tests/journeys/test_files_in_motion.py::test_a_file_that_changed_since_its_digest_was_taken_is_never_measured",
    ),
    Promise(
        "A clock that jumps, and files that are dated anyhow",
        "no number and no digest moves",
        "4 dates",
        "tests/journeys/test_files_in_motion.py::test_a_clock_that_jumps_moves_no_number_and_no_digest",
    ),
)
"""In the order of `SECURITY.md`."""
