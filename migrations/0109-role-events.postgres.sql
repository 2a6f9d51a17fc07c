-- The role of a token is stored as it is: the new role events, accounts (which was a part of feed), and those tokens from
-- before feed was split, which keep both.
alter table operator_token drop constraint operator_token_role_check;
update operator_token set role = coalesce(feed_part, 'feed and accounts') where role = 'feed';
alter table operator_token drop column feed_part;
alter table operator_token add constraint operator_token_role_check
  check (role in ('admin', 'feed', 'accounts', 'events', 'moderator', 'auditor', 'feed and accounts'));
