/** What other areas may ask of route plans. */
export { plansArea } from './plans.area.ts'
export { giveStopsBack, handOverPlan, type HandedPlan } from './plan.hand-over.ts'
export { planOpenFor } from './plan.open-for.ts'
export { activityPlan } from './plan.resource.ts'
