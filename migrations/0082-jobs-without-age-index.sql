-- Only the gauges of waiting jobs used it, which read the few rows of the table as fast without. Each job was written to
-- it twice.

drop index job_age;
