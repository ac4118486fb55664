/** Arrears buckets: days past due from, and their names. */
export const buckets = [
  { value: 'Current', from: 0, to: 0 },
  { value: '1-30', from: 1, to: 30 },
  { value: '31-60', from: 31, to: 60 },
  { value: '61-90', from: 61, to: 90 },
  { value: '91-180', from: 91, to: 180 },
  { value: '181+', from: 181, to: 1_000_000 },
] as const

/** SQL over alias t of a loan. */
export const daysPastDue = `case when t."status" = 'Active' then greatest(0, (select ctx.today()) - t."unpaidSince") else 0 end`
export const bucket = `case ${buckets.map(({ value, to }) => `when ${daysPastDue} <= ${to} then '${value}'`).join(' ')} end`
export const overdue = `case when t."status" = 'Active' then coalesce((select sum(i."principal" + i."interest" + i."fee" + i."insurance" + i."penalty" - i."principalPaid" - i."interestPaid" - i."feePaid" - i."insurancePaid" - i."penaltyPaid")
  from loan_instalment i where i."companyId" = t."companyId" and i."loanId" = t."id" and i."dueOn" < (select ctx.today())), 0) else 0 end`
/** A colour for each bucket. */
export const colours = ['green', 'gold', 'orange', 'red', 'red', 'purple']
