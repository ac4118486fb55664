/** The unit of an amount: whole things, whole days, or money to the cent. */
export type TargetUnit = 'count' | 'days' | 'money'

export interface TargetMetric { label: string, unit: TargetUnit, /** Its events have a product, so that a target may be for one product. */ hasProduct: boolean, /** Less is better. */ isBurden?: boolean }

/** The metrics of targets. Each has exactly one source of records (areas/targets/sources.ts); nothing is ever entered by hand. */
export const targetMetrics = {
  'leads.created': { label: 'Leads captured', unit: 'count', hasProduct: true },
  'leads.contacted': { label: 'Leads contacted', unit: 'count', hasProduct: true },
  'leads.qualified': { label: 'Leads qualified', unit: 'count', hasProduct: true },
  'leads.submitted': { label: 'Leads submitted to credit', unit: 'count', hasProduct: true },
  'leads.converted': { label: 'Leads converted', unit: 'count', hasProduct: true },
  'leads.requestedAmount': { label: 'Amount asked for at submission', unit: 'money', hasProduct: true },
  'consents.requested': { label: 'Consents requested', unit: 'count', hasProduct: true },
  'consents.granted': { label: 'Consents granted', unit: 'count', hasProduct: true },
  'affordability.passed': { label: 'Affordability passed', unit: 'count', hasProduct: true },
  'clients.created': { label: 'New clients', unit: 'count', hasProduct: true },
  'activities.planned': { label: 'Activities planned', unit: 'count', hasProduct: false },
  'visits.done': { label: 'Visits done', unit: 'count', hasProduct: false },
  'visits.missed': { label: 'Visits missed', unit: 'count', hasProduct: false, isBurden: true },
  'days.worked': { label: 'Days worked', unit: 'days', hasProduct: false },
  'cases.opened': { label: 'Cases opened', unit: 'count', hasProduct: false },
  'cases.resolved': { label: 'Cases resolved', unit: 'count', hasProduct: false },
} as const satisfies Record<string, TargetMetric>

export type TargetMetricKey = keyof typeof targetMetrics
export const targetMetricKeys = Object.keys(targetMetrics) as TargetMetricKey[]
export const isTargetMetric = (key: string): key is TargetMetricKey => Object.hasOwn(targetMetrics, key)
export const metricOf = (key: TargetMetricKey): TargetMetric => targetMetrics[key]
/** Decimals in which amounts of the unit are split. */
export const decimalsOf = (unit: TargetUnit) => (unit === 'money' ? 2 : 0)
