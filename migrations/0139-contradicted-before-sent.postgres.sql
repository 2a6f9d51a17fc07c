-- What the gateway says of a part or refund that has not been sent, or that it has paid twice, is looked up by a person: two more names of
-- reviews, and the moves to and from them.

drop trigger withdrawal_moves on withdrawal;
create trigger withdrawal_moves before update of state on withdrawal for each row
  when (old.state <> new.state and old.state || '>' || new.state not in (
    'APPROVED>PAID', 'APPROVED>REFUSED', 'APPROVED>REQUESTED', 'APPROVED>RETURNED', 'APPROVED>REVIEW', 'APPROVED>SENDING',
    'PAID>RETURNED', 'PAID>REVIEW', 'REFUSED>REVIEW', 'REQUESTED>APPROVED', 'REQUESTED>PAID', 'REQUESTED>REFUSED', 'REQUESTED>RETURNED',
    'REQUESTED>REVIEW', 'RETURNED>REVIEW', 'REVIEW>APPROVED', 'REVIEW>PAID', 'REVIEW>REQUESTED', 'REVIEW>RETURNED', 'REVIEW>SENDING',
    'SENDING>PAID', 'SENDING>RETURNED', 'SENDING>REVIEW'))
  execute function refuse_change('illegal state transition of a withdrawal');
drop trigger withdrawal_part_moves on withdrawal_part;
create trigger withdrawal_part_moves before update of state on withdrawal_part for each row
  when (old.state <> new.state and old.state || '>' || new.state not in (
    'PAID>RETURNED', 'PAID>REVIEW', 'RETURNED>REVIEW', 'REVIEW>PAID', 'REVIEW>RETURNED', 'REVIEW>SENDING', 'SENDING>PAID',
    'SENDING>RETURNED', 'SENDING>REVIEW', 'WAITING>PAID', 'WAITING>RETURNED', 'WAITING>REVIEW', 'WAITING>SENDING'))
  execute function refuse_change('illegal state transition of a part');
alter table withdrawal_part drop constraint withdrawal_part_review_check, add constraint withdrawal_part_review_check check (review in ('unresolved', 'paid-after-return', 'paid-twice', 'another-amount', 'never-sent'));
alter table refund drop constraint refund_review_check, add constraint refund_review_check check (review in ('unresolved', 'paid-after-return', 'paid-twice', 'another-amount', 'never-sent'));
drop trigger refund_approval on refund;
create trigger refund_approval before update of state, begun_at on refund for each row
  when (old.needs_approval = 1 and old.approved_by is null
    and (new.begun_at is not null or (old.state <> 'REVIEW' and new.state not in ('REQUESTED', 'FAILED')
      and not (new.state = 'REVIEW' and (old.state = 'FAILED' or coalesce(new.review, '') = 'never-sent')))))
  execute function refuse_change('the refund is not approved by two persons');
