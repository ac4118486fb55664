import type pg from 'pg'

/** Collection sheets of the groups: one of a week ago that nobody came to, and the one of today with what is due. Made of the rows there are, after them. */
export async function insertSheets(client: pg.ClientBase, companyId: string): Promise<void> {
  await client.query(
    `insert into collection_sheet ("companyId", "id", "tenantId", "number", "groupId", "meetingOn", "status", "statusReason", "createdByUserId", "syncSeq")
    select g."companyId", md5('sheet ' || d.ago || g."id")::uuid, g."tenantId", (row_number() over (order by d.ago desc, g."number"))::int, g."id", current_date - d.ago, d.status, d.reason, g."createdByUserId", 0
    from client_group g cross join (values (7, 'Cancelled', 'Rain'), (0, 'Draft', null)) d(ago, status, reason) where g."companyId" = $1`,
    [companyId],
  )
  await client.query(
    `insert into collection_line ("companyId", "id", "tenantId", "sheetId", "position", "clientId", "loanId", "expected")
    select s."companyId", md5('line ' || s."id" || m."id" || coalesce(l."id"::text, ''))::uuid, s."tenantId", s."id", (row_number() over (partition by s."id" order by m."position", l."number"))::int - 1, m."clientId", l."id",
      coalesce((select sum(i."principal" + i."interest" + i."fee" + i."insurance" + i."penalty" - i."principalPaid" - i."interestPaid" - i."feePaid" - i."insurancePaid" - i."penaltyPaid")
        from loan_instalment i where i."companyId" = l."companyId" and i."loanId" = l."id" and i."dueOn" <= s."meetingOn"), 0)
    from collection_sheet s join client_group_member m on m."companyId" = s."companyId" and m."groupId" = s."groupId"
      left join loan l on l."companyId" = m."companyId" and l."clientId" = m."clientId" and l."status" = 'Active' and l."disbursedOn" <= s."meetingOn"
    where s."companyId" = $1`,
    [companyId],
  )
  await client.query(
    `insert into record_counter ("companyId", "objectType", "last") select $1, 'collectionSheet', count(*) from collection_sheet where "companyId" = $1 having count(*) > 0`,
    [companyId],
  )
}
