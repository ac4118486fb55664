import { calculatorNames, calculators } from '@outpost/rules/calculators/index'
import { defineResource } from '../../kernel/resource/define.ts'

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const labels = new Map(calculatorNames.flatMap((name) => calculators[name].rules.map(({ key, label }) => [key, label])))
const labelOf = `case v.key ${[...labels].map(([key, label]) => `when ${quoted(key)} then ${quoted(label)}`).join(' ')} else v.key end`
/** Today where the company is: its rules begin with its own day. */
const today = `(now() at time zone coalesce((select c."timeZone" from tenant c where c."companyId" = t."companyId" and c."id" = t."companyId"), 'UTC'))::date`
const follows = `exists (select 1 from rule_set n where n."companyId" = t."companyId" and n."calculator" = t."calculator" and n."country" = t."country"
  and n."effectiveFrom" <= ${today} and (n."effectiveFrom", n."version") > (t."effectiveFrom", t."version"))`

/** A company's own figures of a calculator: read and followed by others, never changed. */
export const ruleSet = defineResource({
  model: 'ruleSet',
  one: 'ruleSet',
  many: 'ruleSets',
  label: 'Calculator rules',
  labelMany: 'Calculator rules',
  title: 'calculator',
  writtenBy: 'prepared',
  fields: {
    calculator: {
      kind: 'choice',
      label: 'Calculator',
      readOnly: true,
      options: calculatorNames.map((value) => ({ value, label: calculators[value].title })),
    },
    country: { kind: 'text', label: 'Country', readOnly: true },
    effectiveFrom: { kind: 'date', label: 'In force from', readOnly: true },
    version: { kind: 'number', label: 'Version', readOnly: true },
    state: {
      kind: 'choice',
      label: 'State',
      readOnly: true,
      options: [
        { value: 'IN_FORCE', label: 'In force', colour: 'green' },
        { value: 'COMING', label: 'Coming', colour: 'blue' },
        { value: 'PAST', label: 'Past' },
      ],
      sql: `case when t."effectiveFrom" > ${today} then 'COMING' when ${follows} then 'PAST' else 'IN_FORCE' end`,
    },
    verifiedBy: { kind: 'text', label: 'Confirmed by', readOnly: true },
    unverified: { kind: 'tags', label: 'Not confirmed', readOnly: true },
    figures: {
      kind: 'longText',
      label: 'Figures',
      readOnly: true,
      detailOnly: true,
      sql: `(select string_agg(${labelOf} || ': ' || (v.value #>> '{}'), E'\\n' order by v.key) from jsonb_each(case when jsonb_typeof(t."values") = 'object' then t."values" end) v where v.value <> 'null'::jsonb)`,
    },
    note: { kind: 'longText', label: 'Note', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Entered', readOnly: true },
  },
  list: {
    columns: ['calculator', 'country', 'effectiveFrom', 'version', 'state', 'verifiedBy'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['calculator', 'country'],
    empty: {
      title: 'The program’s own rules are in force',
      body: 'Enter your figures to replace them from a day on. What was in force stays on record.',
    },
  },
})
