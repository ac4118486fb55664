/** What other areas may ask of calculators. */
export { runForCompany, runOnSample } from './calculator.handlers.ts'
export { assessment } from './calculator.answers.ts'
export { calculatorsArea } from './calculators.area.ts'
export { ruleSet } from './rule-set.resource.ts'
export { referenceRateOf } from './rule-sets.ts'
