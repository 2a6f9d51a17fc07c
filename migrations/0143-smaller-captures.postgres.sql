-- The amount of a captured deposit can become smaller: the gateway reports after its answer that it captured a part.

drop trigger deposit_moves on deposit;
create trigger deposit_moves before update of state on deposit for each row
  when (old.state || '>' || new.state not in (
    'AUTHORISED>CAPTURED', 'AUTHORISED>REVIEW', 'AUTHORISING>AUTHORISED', 'AUTHORISING>CHALLENGE', 'AUTHORISING>DECLINED',
    'AUTHORISING>VOIDING', 'CAPTURED>CAPTURED', 'CAPTURED>REVIEW', 'CHALLENGE>AUTHORISED', 'CHALLENGE>DECLINED', 'CHALLENGE>VOIDING',
    'DECLINED>REVIEW', 'REVIEW>CAPTURED', 'REVIEW>REVIEW', 'REVIEW>VOIDED', 'VOIDED>REVIEW', 'VOIDING>REVIEW', 'VOIDING>VOIDED'))
  execute function refuse_change('illegal state transition of a deposit');
