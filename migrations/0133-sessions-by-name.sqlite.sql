-- Whether an operator who looks at something is still signed in.
create index console_session_name on console_session (name);
