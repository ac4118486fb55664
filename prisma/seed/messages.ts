import type pg from 'pg'

/** Receipts of the newest payments of each team, by e-mail or SMS; some that a provider refused. Made of the rows there are, after them. */
export async function insertMessages(client: pg.ClientBase, companyId: string): Promise<void> {
  await client.query(
    `insert into client_message ("companyId", "id", "tenantId", "clientId", "paymentId", "kind", "channel", "subject", "text", "sentTo", "status", "statusReason", "attempts", "sentAt", "createdByUserId", "createdBy", "dateCreated")
    select p."companyId", md5('receipt ' || p."id")::uuid, c."tenantId", c."id", p."id", 'receipt', case when w.by_mail then 'mail' else 'sms' end, n."name" || ': receipt ' || r.number,
      n."name" || ': We received ' || n."currency" || ' ' || p."amount" || ' on ' || to_char(p."paidOn", 'DD Mon YYYY') || ' (receipt ' || r.number || ').',
      case when w.by_mail then c."emailAddress" else c."trimmedPhonenumber" end, case when r.place % 9 = 4 then 'Failed' else 'Sent' end,
      case when r.place % 9 = 4 then '550 mailbox unavailable' end, case when r.place % 9 = 4 then 5 else 1 end, case when r.place % 9 <> 4 then p."dateCreated" + interval '4 seconds' end,
      p."createdByUserId", p."createdBy", p."dateCreated"
    from (select x.*, row_number() over (partition by x."tenantId" order by x."number" desc) as place from payment x where x."companyId" = $1 and x."status" = 'Posted') p
      join client c on c."companyId" = p."companyId" and c."id" = p."clientId" join tenant n on n."companyId" = p."companyId" and n."id" = p."companyId"
      cross join lateral (select p.place, 'R-' || lpad(p."number"::text, 6, '0') as number) r
      cross join lateral (select coalesce(c."emailAddress", '') <> '' and r.place % 3 <> 0 as by_mail) w
    where p.place <= 6`,
    [companyId],
  )
}
