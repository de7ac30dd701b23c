-- What only operators look up. None of these indexes is on a table that a payout writes (docs/decisions/0057-views-add-no-index.md).

create index proposal_of_subject on quipu.proposal (subject, created_at, id);
create index difference_of_subject on quipu.difference (subject, found_at, id);
-- With `funding_entry_posting`, all entries of a deposit.
create index funding_entry_notice on quipu.funding_entry (subject_id, tenant_id) where amount is null;
