-- The roles tickets (issues tickets, which accounts did), cashier and cashier-lead (money, which admin did).
alter table operator_token drop constraint operator_token_role_check;
alter table operator_token add constraint operator_token_role_check
  check (role in ('admin', 'feed', 'accounts', 'tickets', 'cashier', 'cashier-lead', 'events', 'moderator', 'auditor', 'feed and accounts'));
