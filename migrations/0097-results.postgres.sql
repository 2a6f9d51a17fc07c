-- A settlement has seven results (src/record/figures.ts).
alter table outcome drop constraint outcome_result_check,
  add constraint outcome_result_check
    check (result in ('win', 'lose', 'void', 'push', 'half-win', 'half-lose', 'place'));
