import { defineArea, may, route } from '../../kernel/area.ts'
import { command, get, query } from '../../kernel/resource/operations.ts'
import * as handle from './plan.handlers.ts'
import * as input from './plan.input.ts'
import { listPlans } from './plan.list.ts'
import { previewConflicts, previewOrder } from './plan.preview.ts'
import { activityPlan } from './plan.resource.ts'

const see = may('SALES/ACTIVITIES/ACTIVITY_PLANS')
const plan = may('SALES/ACTIVITIES/ACTIVITY_PLANS/CREATE', 'SALES/ACTIVITIES/ACTIVITY_PLANS/EDIT')
const path = '/api/activities/activity-plan'

/** Route plans: which agent does what on which day in which order, and what became of it. */
export const plansArea = defineArea({
  name: 'plans',
  resources: [activityPlan],
  routes: [
    route('plans.list', 'GET', path, see, listPlans),
    route('plans.get', 'GET', `${path}/:id`, see, get(activityPlan)),
    route('plans.create', 'POST', path, may('SALES/ACTIVITIES/ACTIVITY_PLANS/CREATE'), command(input.planInput, handle.createPlan)),
    route('plans.update', 'PUT', `${path}/:id`, may('SALES/ACTIVITIES/ACTIVITY_PLANS/EDIT'), command(input.planUpdate, handle.updatePlan)),
    route('plans.remove', 'DELETE', `${path}/delete`, may('SALES/ACTIVITIES/ACTIVITY_PLANS/DELETE'), command(input.deleteInput, handle.deletePlans)),
    route('plans.restore', 'POST', `${path}/restore`, may('SALES/ACTIVITIES/ACTIVITY_PLANS/DELETE'), command(input.restoreInput, handle.restorePlans), { own: true }),
    route('plans.activities', 'GET', '/api/activities/activity-plan-activities/:id', see, query(handle.detailsInput, handle.planActivities)),
    route('plans.unplanned', 'GET', '/api/activities/no-activity-plan', see, query(handle.unplannedInput, handle.unplannedActivities)),
    route('plans.order', 'POST', `${path}/order`, plan, query(input.previewInput, previewOrder), { own: true, summary: 'A shorter order of stops with their times; writes nothing' }),
    route('plans.conflicts', 'POST', `${path}/conflicts`, plan, query(input.previewInput, previewConflicts), { own: true, summary: 'What cannot be kept in a plan being made; writes nothing' }),
  ],
})
