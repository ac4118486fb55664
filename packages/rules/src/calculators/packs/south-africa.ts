import { lbfUnverified, lbfValues, lbfSources, ownLimits, pack, premiumUnverified, premiumValues, smeSources, smeValues } from './common.ts'

/** The newest of the rules below, credit life, applies from this day. */
const at = { country: 'ZA', effectiveFrom: '2017-08-10' }

/** NCR Regulation 23A, minimum expense norms: factor plus percent of the income above the start of the band. */
const norms = [
  { from: 0, factor: 0, percent: 100 },
  { from: 800, factor: 800, percent: 6.75 },
  { from: 6_250, factor: 1_167.88, percent: 9 },
  { from: 25_000, factor: 2_855.38, percent: 8.2 },
  { from: 50_000, factor: 4_905.38, percent: 6.75 },
]
const normSource = 'NCR Regulation 23A (acts.co.za r489_23a; R1,167.88: novcon.co.za)'
/** We found no readable source for the first and the last percent. */
const normUnverified = ['norms.0', 'norms.4']

/** Unsecured credit: regulation 42 as amended on 6 November 2015, regulation 44, credit life of 10 August 2017. */
const costs = {
  initiationBase: 165,
  initiationThreshold: 1_000,
  initiationPercent: 10,
  initiationMax: 1_050,
  initiationShareCap: null,
  vatOnFees: 0,
  serviceFeeMax: 60,
  creditLifeMax: 4.5,
  referenceRate: null,
  rateMargin: 21,
}
/** Regulation 42 was read for unsecured credit; the same fee for a vehicle loan is not confirmed. */
const vehicleUnverified = ['initiationBase', 'initiationThreshold', 'initiationPercent', 'initiationMax']
/** The legal cap on a small fee and VAT awaits a lawyer; the repo rate changes and each company enters it. */
const costUnverified = ['initiationShareCap', 'vatOnFees', 'referenceRate']
const costSources = {
  initiationBase: 'NCA reg 42 Table B (acts.co.za r489_42)',
  initiationThreshold: 'NCA reg 42 Table B',
  initiationPercent: 'NCA reg 42 Table B',
  initiationMax: 'NCA reg 42 Table B',
  serviceFeeMax: 'NCA reg 44',
  rateMargin: 'NCA reg 42 Table A, GG 39379',
  creditLifeMax: 'Credit life regulations of 10 August 2017 (moonstone, dti, masthead)',
}
/** Developmental credit for a small business. */
const smeCosts = { ...costs, initiationBase: 275, initiationMax: 2_600, rateMargin: 27, creditLifeMax: 4.5 }

/** South Africa: the National Credit Act with its regulations. */
export const southAfrica = [
  pack({
    ...at,
    calculator: 'cs-affordability',
    values: { method: 'norms', norms, buffer: 0, ...ownLimits, ...costs },
    unverified: [...normUnverified, ...costUnverified],
    sources: { ...costSources, norms: normSource },
  }),
  pack({
    ...at,
    calculator: 'lbf-affordability',
    values: { ...lbfValues, ...costs, method: 'norms', norms, rateMargin: 17 },
    unverified: [...lbfUnverified, ...normUnverified, ...costUnverified, ...vehicleUnverified],
    sources: { ...lbfSources, ...costSources, norms: normSource },
  }),
  pack({
    ...at,
    calculator: 'sme-affordability',
    values: { ...smeValues, ...smeCosts },
    unverified: costUnverified,
    sources: { ...smeSources, ...costSources },
  }),
  pack({ ...at, calculator: 'lbf-premium', values: premiumValues, unverified: premiumUnverified }),
]
