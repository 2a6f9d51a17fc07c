-- A settlement has seven results (src/record/figures.ts). SQLite drops the check of a column only together with the column.
alter table outcome add column any_result text
  check (any_result in ('win', 'lose', 'void', 'push', 'half-win', 'half-lose', 'place'));
update outcome set any_result = result where result is not null;
alter table outcome drop column result;
alter table outcome rename column any_result to result;
