import type { Permission } from '@outpost/contract/permissions'
import type { FilterTerm } from '@outpost/contract/envelope'
import { every, identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { fieldOf, resourceNamed } from '../resource/define.ts'
import { fieldSql } from '../resource/read/columns.ts'
import { filterConditions } from '../resource/read/filter.ts'
import { visibleRows } from '../resource/read/query.ts'
import { idSchema } from '../resource/schema.ts'
import type { AnyResource, Ctx } from '../types.ts'
import { leftStatePeriod } from '../workflow/left-state.ts'
import { hasOwnStates, workflowsOf } from '../workflow/states.ts'
import { defineReport, type ReportDefinition } from './definition.ts'
import { periodFields, periodFilters, periodInput, periodOf, type Period } from './period.ts'
import { inSentence } from '../in-sentence.ts'

interface TimeInState {
  /** Permission to see the records, beside that of reports. */
  anyOf: Permission
  /** Screen of the list that the numbers open. */
  screen: string
  /** Field of the person who is responsible, and of the branch; the list filters by both. */
  officer: string
  branch: string
  /** The field of the resource that leftStateFilter() makes. */
  left: string
  menu: { label: string; icon: string; order: number }
}

const inputSchema = z.strictObject({ ...periodInput, officer: idSchema.optional(), branch: idSchema.optional() })
type Input = z.infer<typeof inputSchema>

/** Report of a resource with a workflow: for each state the records that left it in a period, how long they were in it, and those in it now. */
export function timeInState(resource: AnyResource, declared: TimeInState): ReportDefinition {
  const [workflow] = workflowsOf(resource)
  if (!workflow || workflow.log === 'own') throw new Error(`${resource.one} has no workflow whose moves are kept`)
  const { label } = fieldOf(resource, workflow.field)
  const many = inSentence(resource.labelMany)
  const title = `Time in ${inSentence(label)} of ${many}`
  return defineReport({
    name: `${resource.one}TimeInStateReport`,
    title,
    menu: declared.menu,
    description: `For each ${inSentence(label)}, how many ${many} left it in a period, how long they were in it, and how many are in it now.`,
    anyOf: ['CRM/REPORTS'],
    alsoAnyOf: [declared.anyOf],
    input: inputSchema,
    fields: [
      ...periodFields,
      { key: 'branch', kind: 'reference', label: 'Branch', to: 'tenant' },
      { key: 'officer', kind: 'reference', label: 'Officer', to: 'user' },
    ],
    plan(ctx, input) {
      const period = periodOf(ctx, input)
      return {
        title,
        filters: [...periodFilters(period)],
        definition:
          `Passed: ${many} that left it in the period, each counted once. Median and 90 % are the times that they had been in it, each time by itself; 90 % of them were not longer. ` +
          `In it now: ${many} that have not left it, whenever they came; the oldest came at that time. Deleted ${many} and those beyond the reader's reach do not count.`,
        columns: [
          { key: 'state', title: label, kind: 'text', width: 28 },
          {
            key: 'passed',
            title: 'Passed',
            kind: 'number',
            opens: { terms: 'passedTerms', resource: resource.one, screen: declared.screen },
          },
          { key: 'median', title: 'Median time', kind: 'duration', width: 14 },
          { key: 'p90', title: '90 % within', kind: 'duration', width: 14 },
          {
            key: 'here',
            title: 'In it now',
            kind: 'number',
            total: true,
            opens: { terms: 'hereTerms', resource: resource.one, screen: declared.screen },
          },
          { key: 'since', title: 'Oldest since', kind: 'dateTime', width: 18 },
        ],
        statement: statesOf(ctx, { resource, field: workflow.field, declared, input, period }),
      }
    },
  })
}

interface Asked {
  resource: AnyResource
  field: string
  declared: TimeInState
  input: Input
  period: Period
}

/** A row for each state. */
function statesOf(ctx: Ctx, { resource, field, declared, input, period }: Asked): Statement {
  const terms: FilterTerm[] = [
    ...(input.branch ? [{ field: declared.branch, op: 'eq' as const, value: input.branch }] : []),
    ...(input.officer ? [{ field: declared.officer, op: opOf(resource, declared.officer), value: input.officer }] : []),
  ]
  const others = sql`${JSON.stringify(terms)}::jsonb`
  const moves = sql`m."companyId" = ${ctx.company.id}::uuid and m."objectType" = ${resource.one} and m."objectId" = r.id and m."field" = ${field} and m."partId" is null`
  return sql`
    with states as (${knownStates(ctx, resource, field)}),
    r as materialized (
      select t."id" as id, ${fieldSql(resource, field)}::text as value, t."dateCreated" as made from ${identifier(resource.table)} t
      where ${every([visibleRows(ctx, resource), ...filterConditions(ctx, resource, terms)])}),
    stays as (
      select m."from" as state, r.id, m."durationSeconds" as seconds from r join record_move m on ${moves}
      where m."from" is not null and m."dateCreated" >= ${period.from} and m."dateCreated" < ${period.until}),
    passed as (
      select state, count(distinct id)::int as passed, round(percentile_cont(0.5) within group (order by seconds))::float8 as median,
        round(percentile_cont(0.9) within group (order by seconds))::float8 as p90 from stays group by 1),
    here as (
      select s.state, count(*)::int as here, min(coalesce(came.at, r.made)) as since
      from r join states s on r.value = any(s.values) left join lateral (select max(m."dateCreated") as at from record_move m where ${moves}) came on true group by 1)
    select s.state, coalesce(p.passed, 0) as passed, p.median, p.p90, coalesce(h.here, 0) as here, h.since,
      jsonb_build_array(jsonb_build_object('field', ${declared.left}::text, 'op', 'eq', 'value', concat(s.state, ' ', ${leftStatePeriod(period)}::text))) || ${others} as "passedTerms",
      jsonb_build_array(jsonb_build_object('field', ${field}::text, 'op', 'in', 'value', to_jsonb(s.values))) || ${others} as "hereTerms"
    from states s left join passed p on p.state = s.state left join here h on h.state = s.state order by s.place, s.state`
}

/** How a person is looked for in a field: some records have one, others several. */
const opOf = (resource: AnyResource, key: string): FilterTerm['op'] =>
  fieldOf(resource, key).kind === 'multiReference' ? 'contains' : 'eq'

/** The states with their place and the values of the field that mean them: those of the workflow, or the company's own rows, by name. */
function knownStates(ctx: Ctx, resource: AnyResource, field: string): Statement {
  const { states } = workflowsOf(resource).find((workflow) => workflow.field === field) ?? {}
  if (!states) throw new Error(`${resource.one} has no workflow of ${field}`)
  if (!hasOwnStates(states))
    return sql`select k.state, array[k.state] as values, k.place from unnest(${Object.keys(states)}::text[]) with ordinality k(state, place)`
  const rows = resourceNamed(states.to)
  if (!rows) throw new Error(`${resource.one}: ${states.to} is no resource`)
  return sql`
    select ${fieldSql(rows, rows.title)} as state, array_agg(t."id"::text) as values, min(t.${identifier(rows.list.sort[0])}) as place
    from ${identifier(rows.table)} t where t."companyId" = ${ctx.company.id}::uuid group by 1`
}
