import type { FieldView } from '@outpost/contract/fields'
import type { CalculatorView, FormView } from '@outpost/contract/views'
import { calculators, lawSources, ruleSetInForce, type CalculatorName } from '@outpost/rules/calculators/index'
import { confirmable, ruleField } from '@outpost/rules/calculators/rule-definitions'
import { chunk } from 'es-toolkit/array/chunk'
import { companyDay } from '../../kernel/days.ts'
import { requireCall, filledCall } from '../../kernel/screens/catalogue.ts'
import type { Calls, Ctx } from '../../kernel/types.ts'
import { companyRuleSets } from './rule-sets.ts'

export const calculatorCalls = {
  run: 'calculators.run',
  pdf: 'calculators.pdf',
  leads: 'leads.list',
  keep: 'leads.assess',
  clients: 'clients.list',
  keepClient: 'leads.assessClient',
} as const

/** The screen of a calculator with the company's own rules, so that the console runs it without a network too. */
export async function calculatorView(
  ctx: Ctx,
  name: CalculatorName,
  { run, pdf, leads, keep, clients, keepClient }: Calls<keyof typeof calculatorCalls>,
): Promise<CalculatorView> {
  const isKept = calculators[name].figures.some(({ key }) => key === 'affordability')
  return {
    kind: 'calculator',
    title: calculators[name].title,
    sum: name,
    country: ctx.company.country,
    ruleSets: await companyRuleSets(ctx, name),
    run: filledCall(requireCall(run), { name }),
    pdf: filledCall(requireCall(pdf), { name }),
    ...(keep && leads && isKept ? { keep: { record: { ...lead, path: leads.path }, call: keep } } : {}),
    ...(keepClient && clients && isKept ? { keepClient: { record: { ...client, path: clients.path }, call: keepClient } } : {}),
  }
}

const lead = { to: 'lead', many: 'leads', idKey: 'Id', labelKey: 'fullName', screen: '/sales/leads/edit/:id' }
const client = { to: 'client', many: 'clients', idKey: 'Id', labelKey: 'fullName', screen: '/clients/:id/view' }

/** The form that enters new figures of a calculator, filled with those in force. */
export async function ruleSetForm(ctx: Ctx, name: CalculatorName, { submit }: Calls<'submit'>): Promise<FormView> {
  const { title, rules } = calculators[name]
  const today = companyDay(ctx)
  const inForce = ruleSetInForce(name, { country: ctx.company.country, at: today, ruleSets: await companyRuleSets(ctx, name) })
  const sources = lawSources(name, { country: inForce.country, at: today })
  const fields: FieldView[] = [
    {
      key: 'calculator',
      kind: 'choice',
      label: 'Calculator',
      required: true,
      options: [{ value: name, label: title }],
      defaultValue: name,
    },
    {
      key: 'effectiveFrom',
      kind: 'date',
      label: 'In force from',
      required: true,
      defaultValue: today,
      help: 'Today or later; what was in force before stays on record',
    },
    ...rules.map((rule) => ruleField(rule, inForce, sources)),
    {
      key: 'verified',
      kind: 'multiChoice',
      label: 'Figures confirmed',
      options: confirmable(rules, inForce, sources),
      help: 'These lose the mark “not confirmed”',
    },
    { key: 'verifiedBy', kind: 'text', label: 'Confirmed by', maxLength: 200, help: 'For instance a lawyer or a letter of the regulator' },
    { key: 'note', kind: 'longText', label: 'Note', maxLength: 2_000 },
  ]
  return {
    kind: 'form',
    title: `New rules: ${title}`,
    resource: 'ruleSet',
    one: 'ruleSet',
    idKey: 'Id',
    titleKey: 'calculator',
    fields,
    sections: [
      { rows: [['calculator', 'effectiveFrom']] },
      {
        title: 'Figures',
        rows: chunk(
          rules.map(({ key }) => key),
          2,
        ),
      },
      { title: 'Confirmation', rows: [['verified'], ['verifiedBy'], ['note']] },
    ],
    submit: requireCall(submit),
    after: '/admin/calculators/rules/:id',
    actions: [],
  }
}
