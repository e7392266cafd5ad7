"""What tests are made of: builders of samples, and the few tools that several tests share.

Which to take, from the smallest to a whole site:

- `small_runs`: one run of an arm, or an arm of runs, as records.
- `small_tables`: one row a run, in a file, as a team's harness writes it.
- `measured`: such records -> estimates, comparisons and run pages, without a folder.
- `family_records`: records of every family that cover what it tells apart, drawn or of its golden fixtures.
- `attempt_experiments`, `github_payloads`: experiments of attempts in a folder, and GitHub's answers in them.
- `written_contracts`: contracts of users, as files.
- `sample_reports`: reports in memory, in every state that a page can be in.
- `field_effects`: what each field of a record moves.
- `engine_tasks`: tasks for other processes, of which some end them.
- `lost_worker`: a Dask cluster that loses a worker which had tasks.
- `fault_injection`: a disk that fails at its k-th call, or a program that is killed there.
- `figure_samples`: made-up estimates and shapes for each kind of figure.
- `decision_samples`: reports and decisions for claims to be judged on.
- `sample_site`, `written_pages`, `edition_samples`: a whole site in memory, of the sample reports; prose set
  on it; editions of it.
- `nightly`: experiments of several nights, and the site of them in memory.
- `small_content`: a content folder that builds in a test.
- `inspect_logs`: logs as Inspect writes them, in both forms.
- `hostile_text`, `hostile_experiment`: texts that want to be run, and an experiment full of them.
- `secret_samples`: made-up secrets, ways to write them, and identifiers that only resemble them.
- `gitleaks_rules`: makes the public rules of secrets anew, of a package that ships them.
- `accessibility`: the rules of axe, held against an open page.
- `look_alike_letters`: makes the list of letters that look alike anew, of a package that ships it.
- `by_day`: which of many like cases are tried by day.
- `built_once`: the program and a small site, made once a run for all its workers.
- `preview_process`: a preview as a process of its own.
- `own_ledger`: a ledger of the contracts as they stand.
- `command_reference`: the page of all commands, made from the parser that reads them.
- `sentence_predicates`, `row_predicates`: what must hold of the rows wherever a generated sentence is said.
- `surface_predicates`: the same of whole prints, pages, comparisons, gates and plans.
- `word_makers`: which functions word a row, and which a maker is made of, by signature and code.
- `hard_experiments`: experiments on which sentences go wrong: ties, holes, nothing known, opposite results.
- `simulated_tasks`: runs of two arms on tasks whose true rates are known.
- `stock_mutations`: mutants of a module's source.
- `parsed`: sources as trees, each parsed once.
- `make_charts`: the charts that the package ships, made anew.

Each is imported from its own module: nothing is loaded for a test that does not ask for it.
"""
