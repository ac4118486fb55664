import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { companyDay } from '../../../kernel/days.ts'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import { defineReport, type ReportColumn, type ReportDefinition } from '../../../kernel/reports/definition.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import { mayWatch } from '../collateral.facts.ts'
import { maintenanceEntry } from './maintenance-entry.resource.ts'
import { maintenanceOf } from './maintenance.due.ts'

const columns: ReportColumn[] = [
  { key: 'state', title: 'State', kind: 'text', width: 12 },
  { key: 'registration', title: 'Vehicle', kind: 'text', width: 16 },
  { key: 'plan', title: 'What', kind: 'text', width: 28 },
  { key: 'branch', title: 'Branch', kind: 'text', width: 22 },
  { key: 'kmLeft', title: 'Left (km)', kind: 'number' },
  { key: 'hoursLeft', title: 'Left (engine hours)', kind: 'number' },
  { key: 'daysLeft', title: 'Left (days)', kind: 'number' },
  { key: 'km', title: 'Due at (km)', kind: 'number' },
  { key: 'odometer', title: 'Odometer now', kind: 'number' },
  { key: 'hours', title: 'Due at (engine hours)', kind: 'number' },
  { key: 'engineHours', title: 'Engine hours now', kind: 'number' },
  { key: 'on', title: 'Due on', kind: 'date' },
  { key: 'lastDone', title: 'Last done', kind: 'date' },
  {
    key: 'entries',
    title: 'Times done',
    kind: 'number',
    total: true,
    opens: { terms: 'entryTerms', resource: maintenanceEntry.one, screen: '/tracking/maintenance/done' },
  },
]
const words = { overdue: 'Due', soon: 'Due soon', later: 'Later' } as const
const order = { overdue: 0, soon: 1, later: 2 } as const

/** What is due to be done to vehicles, the most urgent first, by distance, engine hours or date. */
export const maintenanceReport = (client: GeoClient): ReportDefinition =>
  defineReport({
    name: 'maintenance-due',
    title: 'Maintenance due',
    description: 'What is due to be done to vehicles by distance, engine hours or date, with what is left.',
    anyOf: ['CRM/REPORTS'],
    alsoAnyOf: mayWatch,
    menu: { label: 'Maintenance due', icon: 'tool', order: 24 },
    input: z.strictObject({ branch: idSchema.optional(), everything: z.boolean().optional() }),
    fields: [
      { key: 'branch', kind: 'reference', label: 'Branch', to: 'tenant' },
      { key: 'everything', kind: 'boolean', label: 'Include what is due later' },
    ],
    chart: { label: 'state' },
    opens: (_, __, { assetId, planId }) => ({
      registration: `/tracking/assets/${String(assetId)}/view`,
      plan: `/tracking/maintenance/edit/${String(planId)}`,
    }),
    plan: async (ctx, { branch, everything = false }) => {
      const due = (await maintenanceOf(client, ctx, { branch }))
        .filter(({ state }) => everything || state !== 'later')
        .toSorted((a, b) => order[a.state] - order[b.state])
      const rows = due.map(({ state, planId, assetId, ...one }, place) => ({
        ...one,
        place,
        planId,
        assetId,
        state: words[state],
        entryTerms: [
          { field: 'planId', op: 'eq', value: planId },
          { field: 'assetId', op: 'eq', value: assetId },
        ],
      }))
      return {
        title: 'Maintenance due',
        definition:
          'Active plans for each vehicle in sight. Due: an interval after it was last done, or after the plan began; whichever comes first of distance, engine hours and days. ' +
          'Due soon: a tenth of the interval left, within 14 days at most. Now: as the dashboard was read, and what its trackers measured since.',
        filters: [{ label: 'As of', value: companyDay(ctx) }],
        columns,
        statement: sql`
          select r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("place" int, "planId" uuid, "assetId" uuid, "state" text, "registration" text, "plan" text, "branch" text, "kmLeft" float8,
            "hoursLeft" float8, "daysLeft" int, "km" float8, "odometer" float8, "hours" float8, "engineHours" float8, "on" date, "lastDone" date, "entries" int, "entryTerms" jsonb)
          order by r."place"`,
        count: sql`select ${rows.length}::int as count`,
      }
    },
  })
