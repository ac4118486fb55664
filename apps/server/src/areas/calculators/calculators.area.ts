import { calculatorNames, calculators, type CalculatorName } from '@outpost/rules/calculators/index'
import { defineArea, may, route } from '../../kernel/area.ts'
import { command, get, list, query } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { built, detailOf, listOf, screen } from '../../kernel/screens/screen.ts'
import * as answers from './calculator.answers.ts'
import { runInput, runOnServer, showCalculator, showInput } from './calculator.handlers.ts'
import { calculatorPdf } from './calculator.pdf.ts'
import type { ActionDefinition, FieldDefinition, PanelDefinition } from '../../kernel/types.ts'
import { calculatorCalls, calculatorView, ruleSetForm } from './calculator.screens.ts'
import { ruleSet } from './rule-set.resource.ts'
import { createInput, createRuleSet, previewRuleSet, ruleSetEffect } from './rule-sets.ts'

const settings = may('ADMIN/SETTINGS')
const anyCalculator = may('SALES/AFFORDABILITY/CS', 'SALES/AFFORDABILITY/LBF', 'SALES/AFFORDABILITY/SME')
const own = { own: true }
const one = '/api/calculators/:name'
const ruleSets = '/api/calculators/rule-sets'
const newRules = calculatorNames.map((name): ActionDefinition => ({
  key: `new.${name}`, label: `New rules: ${calculators[name].title}`, scope: 'page', open: `/admin/calculators/${name}`,
}))

/** As the menu of the specification calls them. */
const shortNames = { 'cs-affordability': 'Civil servant', 'lbf-affordability': 'Log book', 'sme-affordability': 'SME', 'lbf-premium': 'Log book premium' } as const satisfies Record<CalculatorName, string>

const figure = (label: string): FieldDefinition => ({ kind: 'money', label })
const outcome = (label: string): FieldDefinition => ({ kind: 'choice', label, options: ['PASS', 'REFER', 'FAIL', 'NONE'].map((value) => ({ value, label: value })) })
/** The newest assessments under the rules before and these. */
const effectPanel: PanelDefinition = {
  key: 'effect', title: 'Effect on a sample', route: 'calculators.ruleSetEffect', value: 'effect', empty: { title: 'No sample' },
  fields: {
    sample: { kind: 'text', label: 'Sample' }, outcomeBefore: outcome('Outcome before'), outcomeAfter: outcome('Outcome now'), before: figure('A month before'), after: figure('A month now'),
    loanBefore: figure('Loan before'), loanAfter: figure('Loan now'),
  },
}

/** The affordability calculators: what a client, a vehicle or a business can carry, under the rules of its country. */
export const calculatorsArea = defineArea({
  name: 'calculators',
  menu: [{ key: 'calculators', label: 'Affordability calculators', icon: 'calculator', order: 40 }],
  resources: [ruleSet],
  routes: [
    route('calculators.ruleSets', 'GET', ruleSets, settings, list(ruleSet), own),
    route('calculators.createRuleSet', 'POST', ruleSets, settings, command(createInput, createRuleSet, answers.ruleSetAnswer), own),
    route('calculators.previewRuleSet', 'POST', `${ruleSets}/preview`, settings, query(createInput, previewRuleSet, answers.effectAnswer), { own: true, summary: 'What new rules would do on a sample; nothing is kept' }),
    route('calculators.ruleSetEffect', 'GET', `${ruleSets}/:id/effect`, settings, query(idInput, ruleSetEffect, answers.effectAnswer), own),
    route('calculators.getRuleSet', 'GET', `${ruleSets}/:id`, settings, get(ruleSet), own),
    route('calculators.show', 'GET', one, anyCalculator, query(showInput, showCalculator, answers.calculatorAnswer), { own: true, summary: 'Inputs of a calculator and the rule set in force' }),
    route('calculators.run', 'POST', `${one}/run`, anyCalculator, query(runInput, runOnServer, answers.runAnswer), { own: true, summary: 'The sum as the server makes it' }),
    route('calculators.pdf', 'POST', `${one}/pdf`, anyCalculator, query(runInput, calculatorPdf), { own: true, sends: 'application/pdf', summary: 'The sum as a letter', limit: 60 }),
  ],
  screens: [
    ...calculatorNames.map((name, index) => screen(`/sales/calculators/${name}`, may(calculators[name].permission), built((ctx, calls) => calculatorView(ctx, name, calls), calculatorCalls), { title: calculators[name].title, offline: true, menu: { under: 'calculators', label: shortNames[name], icon: 'calculator', order: index + 1 } })),
    screen('/admin/calculators', settings, listOf(ruleSet, { overrides: { actions: newRules } }), { menu: { under: 'administration', label: 'Calculator rules', icon: 'calculator', order: 60 } }),
    screen('/admin/calculators/rules/:id', settings, detailOf(ruleSet, { panels: [effectPanel] })),
    ...calculatorNames.map((name) => screen(`/admin/calculators/${name}`, settings, built((ctx, calls) => ruleSetForm(ctx, name, calls), { submit: 'calculators.createRuleSet' }), { title: `New rules: ${calculators[name].title}` })),
  ],
})
