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

const at = { country: 'KE', effectiveFrom: startOfRecords }

/** Kenya: a third of basic pay stays with the employee; at most two thirds may be deducted. */
export const kenya = [
  pack({
    ...at,
    calculator: 'cs-affordability',
    values: { method: 'basic', floorShare: '1/3', deductionsShare: '2/3', buffer: 0, ...ownLimits },
    sources: {
      floorShare: 'Employment Act s19(3); PSC manual C.1(3) (businessdailyafrica, kenyaemploymentlaw)',
      deductionsShare: 'Employment Act s19(3) (businessdailyafrica, kenyaemploymentlaw)',
    },
  }),
  pack({
    ...at,
    calculator: 'lbf-affordability',
    values: { ...lbfValues, searchCost: 3_000 },
    unverified: [...lbfUnverified, 'searchCost'],
    sources: lbfSources,
  }),
  pack({ ...at, calculator: 'sme-affordability', values: smeValues, sources: smeSources }),
  pack({ ...at, calculator: 'lbf-premium', values: { ...premiumValues, levies: 0.45, stamp: 40 }, unverified: premiumUnverified }),
]
