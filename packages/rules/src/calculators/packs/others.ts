import type { CalculatorName, RuleSet, RuleValue } from '../types.ts'
import {
  lbfSources,
  lbfUnverified,
  lbfValues,
  ownLimits,
  pack,
  premiumUnverified,
  premiumValues,
  smeSources,
  smeValues,
  startOfRecords,
} from './common.ts'

interface OwnFigures {
  unverified: readonly string[]
  sources?: Record<string, string>
}

/** A country with one or two known figures; the rest follows the common rule and is marked. */
function countryPack(
  country: string,
  cs: OwnFigures & { values: Record<string, RuleValue> },
  lbf: Partial<OwnFigures> & { values?: Record<string, RuleValue> } = {},
): RuleSet[] {
  const at = (calculator: CalculatorName) => ({ country, effectiveFrom: startOfRecords, calculator })
  return [
    pack({ ...at('cs-affordability'), ...cs, values: { buffer: 0, ...ownLimits, ...cs.values } }),
    pack({
      ...at('lbf-affordability'),
      values: { ...lbfValues, ...lbf.values },
      unverified: lbfUnverified,
      sources: { ...lbfSources, ...lbf.sources },
    }),
    pack({ ...at('sme-affordability'), values: smeValues, sources: smeSources }),
    pack({ ...at('lbf-premium'), values: premiumValues, unverified: premiumUnverified }),
  ]
}

/** A third of basic pay is the cautious rule where no source for the country was found; always marked. */
const unknown = { values: { method: 'basic', floorShare: '1/3' }, unverified: ['method', 'floorShare'] }

/** Countries with a single sourced figure, and `*` for all without a pack. */
export const others = [
  ...countryPack('ZM', {
    values: { method: 'net', floorShare: '0.4' },
    unverified: [],
    sources: { floorShare: 'PMEC: 40 % of net pay stays (meanwoodfinance.co.zm, a lender)' },
  }),
  ...countryPack('NA', {
    values: { method: 'net', floorShare: '0.5' },
    unverified: [],
    sources: { floorShare: 'Microlending Act 2018 standards: instalments at most half of take-home pay (observer24)' },
  }),
  ...countryPack('UG', unknown, { values: { quickcashCap: 3_000_000 }, sources: { quickcashCap: 'platinumcredit.co.ug' } }),
  ...countryPack('*', unknown),
]
