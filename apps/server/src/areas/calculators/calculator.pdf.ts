import { calculatorFields, calculators, type CalculatorRun, type Unit } from '@outpost/rules/calculators/index'
import type { Wording } from '@outpost/rules/wording'
import type { Content, TableCell } from 'pdfmake/interfaces.js'
import { pdfLetter } from '../../kernel/pdf.ts'
import { wordingFor } from '../../kernel/settings/wording.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { permitted, runForCompany, type runInput } from './calculator.handlers.ts'
import { companyRuleSets } from './rule-sets.ts'
import type { z } from 'zod'

/** The sum as a letter: inputs, steps, result, plan and the rules it was made by, made anew here from the inputs. */
export async function calculatorPdf(ctx: Ctx, { name, inputs, at }: z.infer<typeof runInput>): Promise<Answer> {
  const calculator = calculators[permitted(ctx, name)]
  const run = await runForCompany(ctx, calculator.name, inputs, at)
  const { fields } = calculatorFields(calculator.name, {
    country: ctx.company.country,
    at: run.at,
    ruleSets: await companyRuleSets(ctx, calculator.name),
  })
  const wording = await wordingFor(ctx.company)
  const words = wordsOf(wording)
  const content: Content[] = [
    { text: calculator.title, fontSize: 13, margin: [0, 2, 0, 2] },
    {
      text: `${wording.day(run.at)} · rules ${run.ruleSet.id}, version ${run.ruleSet.version}, ${run.ruleSet.country}, in force from ${wording.day(run.ruleSet.effectiveFrom)}`,
      color: '#555555',
      fontSize: 9,
      margin: [0, 0, 0, 8],
    },
    ...(run.ruleSet.unverified.length > 0
      ? [
          {
            text: `Not confirmed: ${unverifiedLabels(run).join('; ')}. Values marked * use them. Have them confirmed before relying on this sum.`,
            color: '#8a4b00',
            margin: [0, 0, 0, 8],
          } as Content,
        ]
      : []),
    ...outcome(run),
    table(
      'Result',
      calculator.figures.map(({ key, label, unit }) => [label, words(run.result[key] ?? null, unit)]),
    ),
    table(
      'Entered',
      fields
        .filter(({ key }) => Object.hasOwn(run.inputs, key) && run.inputs[key] !== null)
        .map((field) => [field.label, enteredWords(field, run.inputs[field.key], words)]),
    ),
    ...grid(run),
    steps(run, words),
    ...plan(run, words, wording),
  ]
  return pdfLetter(`${calculator.name}-${run.at}`, { company: ctx.company, title: calculator.title, content })
}

type Words = (value: string | null, unit?: Unit) => string

function wordsOf({ money, number }: Wording): Words {
  return (value, unit) => {
    if (value === null) return '–'
    if (unit === 'money') return money(value)
    return unit === 'percent' ? `${number(value)} %` : unit === 'months' ? `${number(value)} months` : value
  }
}

type Field = ReturnType<typeof calculatorFields>['fields'][number]

function enteredWords({ kind, options }: Field, value: unknown, words: Words): string {
  if (kind === 'boolean') return value === true ? 'Yes' : 'No'
  if (kind === 'choice') return options?.find((option) => option.value === value)?.label ?? String(value)
  return words(String(value), kind === 'money' ? 'money' : kind === 'percent' ? 'percent' : undefined)
}

function unverifiedLabels({ calculator, ruleSet }: CalculatorRun): string[] {
  const labelOf = (key: string) => calculators[calculator].rules.find((rule) => rule.key === key.split('.')[0])?.label ?? key
  return [...new Set(ruleSet.unverified.map(labelOf))]
}

const outcome = (run: CalculatorRun): Content[] =>
  run.outcome === 'NONE' ? [] : [{ text: [run.outcome, ...run.reasons].join(' · '), bold: true, margin: [0, 4, 0, 4] }]
const heading = (title: string): Content => ({ text: title, bold: true, fontSize: 11, margin: [0, 10, 0, 4] })

function table(title: string, rows: readonly (readonly [string, string])[]): Content {
  const body = rows.map(([label, value]): TableCell[] => [
    { text: label, color: '#555555' },
    { text: value, alignment: 'right' },
  ])
  return body.length === 0 ? [] : [heading(title), { table: { widths: ['*', 'auto'], body }, layout: 'lightHorizontalLines' }]
}

function grid({ calculator, inputs }: CalculatorRun): Content[] {
  const definition = calculators[calculator].grid
  if (!definition) return []
  const rows = inputs[definition.key] as Record<string, string>[]
  const body = [
    ['', ...definition.columns.map((column) => column.label)],
    ...rows.map((row, index) => [String(index + 1), ...definition.columns.map(({ key }) => row[key] ?? '')]),
  ]
  return [
    heading(definition.label),
    {
      fontSize: 9,
      table: { headerRows: 1, widths: ['auto', ...definition.columns.map(() => '*' as const)], body },
      layout: 'lightHorizontalLines',
    },
  ]
}

function steps(run: CalculatorRun, words: Words): Content {
  const body = run.steps.map((step): TableCell[] => [
    {
      text: [{ text: step.label }, { text: `\n${step.formula}${step.figures ? `\n${step.figures}` : ''}`, color: '#555555', fontSize: 8 }],
    },
    { text: `${words(step.value, step.unit)}${step.unverified ? ' *' : ''}`, alignment: 'right' },
  ])
  return [heading('How it was calculated'), { table: { widths: ['*', 'auto'], body, dontBreakRows: true }, layout: 'lightHorizontalLines' }]
}

function plan({ schedule }: CalculatorRun, words: Words, { plainMoney }: Wording): Content[] {
  if (!schedule) return []
  const keys = ['instalment', 'principal', 'interest', 'charges', 'balance'] as const
  const body = [
    ['', 'Instalment', 'Principal', 'Interest', 'Charges', 'Balance'],
    ...schedule.rows.map((row) => [String(row.number), ...keys.map((key) => plainMoney(row[key]))]),
  ]
  const cells = body.map((row) => row.map((text): TableCell => ({ text, alignment: 'right' })))
  return [
    heading('Instalments'),
    { fontSize: 8, table: { headerRows: 1, widths: ['auto', '*', '*', '*', '*', '*'], body: cells }, layout: 'lightHorizontalLines' },
    {
      text: `Interest ${words(schedule.totalInterest, 'money')} · charges ${words(schedule.totalCharges, 'money')} · paid in all ${words(schedule.totalPaid, 'money')}`,
      margin: [0, 6, 0, 0],
    },
  ]
}
