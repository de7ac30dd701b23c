-- Reports of all tenants: what payouts earned, and what the operator moved outside of the wallets.

-- The cost of a target at a bid, in micro-USDT, rounded up once: a payout's spread is its principal less this. The core's
-- `payoutRevenue` has the same rule.
create function quipu.quote_cost(target bigint, bid bigint) returns bigint
language sql immutable
return div(target * 100000000::numeric + bid - 1, bid)::bigint;
comment on function quipu.quote_cost is 'for processes';
