import type { Permission } from '@outpost/contract/permissions'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../kernel/types.ts'

export interface OpenLoan {
  loanId: string
  clientId: string
  loanNumber: string
  tenantId: string
  branch: string
  client: string
  /** Principal, interest, fees and penalties, as money text. */
  owed: string
  daysPastDue: number
}

/** Who may see loans at all holds one of these: the rights of their list. */
export const seesLoans: readonly Permission[] = ['CLIENTS', 'LOAN/DISBURSEMENTS']

/** The loans that still run, within the caller's reach; of a branch with all below it. Written-off ones too: a vehicle that is found pays them. */
export function openLoans({ sql: reader, company }: Ctx, branch?: string): Promise<OpenLoan[]> {
  return reader.query<OpenLoan>(sql`
    select l."id" as "loanId", l."clientId", 'L-' || lpad(l."number"::text, greatest(6, length(l."number"::text)), '0') as "loanNumber", l."tenantId", n."name" as "branch",
      concat_ws(' ', c."firstName", c."lastName") as "client",
      (l."principalOwed" + l."interestOwed" + l."feesOwed" + l."penaltiesOwed" + case when l."status" = 'Written off' then l."writtenOff" else 0 end)::text as "owed",
      case when l."unpaidSince" is null then 0 else greatest(0, (select ctx.today()) - l."unpaidSince") end as "daysPastDue"
    from loan l join tenant n on n."companyId" = l."companyId" and n."id" = l."tenantId" join client c on c."companyId" = l."companyId" and c."id" = l."clientId"
    where l."companyId" = ${company.id}::uuid and l."deletedAt" is null and l."status" in ('Active', 'Written off')
      ${branch === undefined ? sql`` : sql`and n."path" @> array[${branch}::uuid]`}
    order by l."id"`)
}
