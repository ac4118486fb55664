import { sql } from '@outpost/platform/db/sql'
import { collateralRisks, type Collateral } from '@outpost/rules/fleet/collateral'
import { dayOf } from '@outpost/rules/time-zone'
import { z } from 'zod'
import { companyDay } from '../../kernel/days.ts'
import { defineReport, type ReportColumn, type ReportDefinition } from '../../kernel/reports/definition.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Ctx } from '../../kernel/types.ts'
import { seesLoans, openLoans, type OpenLoan } from '../loans/index.ts'
import { collateralFacts, mayWatch, securedAssets, type FleetDoor } from './collateral.facts.ts'

const columns: ReportColumn[] = [
  { key: 'points', title: 'Risk', kind: 'number', width: 8 },
  { key: 'why', title: 'Why', kind: 'text', width: 60 },
  { key: 'registration', title: 'Vehicle', kind: 'text', width: 16 },
  { key: 'client', title: 'Client', kind: 'text', width: 26 },
  { key: 'loanNumber', title: 'Loan', kind: 'text', width: 14 },
  { key: 'branch', title: 'Branch', kind: 'text', width: 22 },
  { key: 'owed', title: 'Owed', kind: 'money', width: 16, total: true },
  { key: 'daysPastDue', title: 'Days past due', kind: 'number' },
  { key: 'heardAt', title: 'Last heard of', kind: 'dateTime', width: 18 },
  { key: 'latitude', title: 'Latitude', kind: 'number' },
  { key: 'longitude', title: 'Longitude', kind: 'number' },
]
const input = z.strictObject({ branch: idSchema.optional(), everyone: z.boolean().optional() })

/**
 * Vehicles that secure a loan, the riskiest first, each with why; silent where no loan runs or no vehicle is a client's. It reads the
 * lending area through its index and the fleet as the caller sees it.
 */
export const collateralReport = (door: FleetDoor): ReportDefinition =>
  defineReport({
    name: 'collateral-watch',
    title: 'Collateral watch',
    description:
      'Vehicles that secure a loan and give a reason to look after them: silent, cut off, beyond a border, elsewhere at night, side by side.',
    anyOf: ['CRM/REPORTS'],
    alsoAnyOf: mayWatch,
    andAnyOf: seesLoans,
    menu: { label: 'Collateral watch', icon: 'warning', order: 23 },
    input,
    fields: [
      { key: 'branch', kind: 'reference', label: 'Branch', to: 'tenant' },
      { key: 'everyone', kind: 'boolean', label: 'Include vehicles without a reason' },
    ],
    chart: { label: 'branch', value: 'points' },
    opens: (ctx, _, { assetId, loanId, heardAt }) => {
      const loan = `/loans/accounts/${String(loanId)}/view`
      const day = heardAt instanceof Date ? dayOf(heardAt.getTime(), ctx.company.timeZone) : undefined
      return {
        registration: `/tracking/map?asset=${String(assetId)}`,
        loanNumber: loan,
        owed: loan,
        daysPastDue: loan,
        ...(day === undefined ? {} : { heardAt: `/tracking/replay/${String(assetId)}/${day}` }),
      }
    },
    places: ({ latitude, longitude }) => (typeof latitude === 'number' && typeof longitude === 'number' ? [[latitude, longitude]] : []),
    plan: async (ctx, { branch, everyone = false }) => {
      const rows = await riskRows(ctx, door, { branch, everyone })
      const asOf = companyDay(ctx)
      return {
        title: 'Collateral watch',
        definition:
          'A vehicle secures the loan that its record names, else all loans of its client. Risk: the sum of the points behind each reason. Silent: 24 hours without a message, more from 72. Tampering of 7 days. Left: fences with the tag home or border, of 30 days. ' +
          'Nights: away by more than 1 km from where it stood most of the nights before. Side by side: within 100 m of another client’s vehicle, both standing. A loan for each row; a vehicle that secures two stands twice.',
        filters: [{ label: 'As of', value: asOf, day: asOf }],
        columns,
        statement: sql`
          select r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("assetId" uuid, "loanId" uuid, "points" int, "why" text, "registration" text, "client" text, "loanNumber" text, "branch" text,
            "owed" numeric, "daysPastDue" int, "heardAt" timestamptz, "latitude" float8, "longitude" float8)
          order by r."points" desc, r."registration", r."loanNumber"`,
        count: sql`select ${rows.length}::int as count`,
      }
    },
  })

async function riskRows(ctx: Ctx, door: FleetDoor, { branch, everyone }: { branch: string | undefined; everyone: boolean }) {
  const loans = await openLoans(ctx, branch)
  if (loans.length === 0) return []
  const assets = await securedAssets(ctx, loans)
  const facts = await collateralFacts(ctx, door, assets, loans)
  const securedBy = new Map(assets.map(({ id, loanIds }) => [id, loanIds]))
  const risks = collateralRisks(facts, Date.now())
  return facts.flatMap((fact) => {
    const risk = risks.get(fact.id)
    if (!risk || (!everyone && !risk.isWatched)) return []
    return loans
      .filter(({ loanId }) => securedBy.get(fact.id)?.includes(loanId))
      .map((loan) => ({ ...rowOf(fact, loan), points: risk.points, why: risk.why.join(' · ') }))
  })
}

const rowOf = ({ id, registration, heardAt, place }: Collateral, { loanId, client, loanNumber, branch, owed, daysPastDue }: OpenLoan) => ({
  assetId: id,
  loanId,
  registration,
  client,
  loanNumber,
  branch,
  owed,
  daysPastDue,
  heardAt: heardAt === null ? null : new Date(heardAt).toISOString(),
  latitude: place?.latitude ?? null,
  longitude: place?.longitude ?? null,
})
