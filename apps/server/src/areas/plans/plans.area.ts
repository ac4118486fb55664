import { defineArea, may, route } from '../../kernel/area.ts'
import { recordAnswer, recordsAnswer } from '../../kernel/resource/answers.ts'
import { command, get, query } from '../../kernel/resource/operations.ts'
import { custom, customOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { history } from '../../kernel/keeps/history.ts'
import { move, moveLater, moveMany } from '../../kernel/workflow/operations.ts'
import * as answers from './plan.answers.ts'
import { dayOverview, dayOverviewInput } from './day-overview.ts'
import * as handle from './plan.handlers.ts'
import { nearbyInput, nearRoute } from './nearby.ts'
import * as input from './plan.input.ts'
import { listPlans } from './plan.list.ts'
import { planOfDevice } from './plan.offline.ts'
import { previewConflicts, previewOrder } from './plan.preview.ts'
import { activityPlan } from './plan.resource.ts'
import { planTrack, trackInput } from './track.ts'
import { planTiles } from './plan.tiles.ts'

const see = may('SALES/ACTIVITIES/ACTIVITY_PLANS')
const overview = may('SALES/ACTIVITIES/ACTIVITY_PLANS/DAY_OVERVIEW/VIEW')
const plan = may('SALES/ACTIVITIES/ACTIVITY_PLANS/CREATE', 'SALES/ACTIVITIES/ACTIVITY_PLANS/EDIT')
const path = '/api/activities/activity-plan'
const screenPath = '/sales/activities/activity-plan'

/** Route plans: which agent does what on which day in which order, and what became of it. */
export const plansArea = defineArea({
  name: 'plans',
  tiles: planTiles,
  resources: [activityPlan],
  routes: [
    route('plans.list', 'GET', path, see, listPlans),
    route('plans.get', 'GET', `${path}/:id`, see, get(activityPlan)),
    route('plans.create', 'POST', path, may('SALES/ACTIVITIES/ACTIVITY_PLANS/CREATE'), { ...command(input.planInput, handle.createPlan, recordAnswer(activityPlan)), kind: 'create', resource: activityPlan }),
    route('plans.update', 'PUT', `${path}/:id`, may('SALES/ACTIVITIES/ACTIVITY_PLANS/EDIT'), { ...command(input.planUpdate, handle.updatePlan, recordAnswer(activityPlan)), kind: 'update', resource: activityPlan }, { offline: planOfDevice }),
    route('plans.remove', 'DELETE', `${path}/delete`, may('SALES/ACTIVITIES/ACTIVITY_PLANS/DELETE'), { ...command(input.deleteInput, handle.deletePlans, answers.removedPlansAnswer), kind: 'remove', resource: activityPlan }),
    route('plans.restore', 'POST', `${path}/restore`, may('SALES/ACTIVITIES/ACTIVITY_PLANS/DELETE'), command(input.restoreInput, handle.restorePlans, recordsAnswer(activityPlan)), { own: true }),
    route('plans.move', 'POST', `${path}/:id/move`, plan, move(activityPlan), { own: true, offline: moveLater(activityPlan, { label: 'Status' }) }),
    route('plans.moveMany', 'POST', `${path}/move`, plan, moveMany(activityPlan), { own: true }),
    route('plans.timeline', 'GET', `${path}/:id/timeline`, see, history(activityPlan, { acts: { 'activityPlan.stops': 'Stops changed' } }), { own: true }),
    route('plans.activities', 'GET', '/api/activities/activity-plan-activities/:id', see, query(handle.detailsInput, handle.planActivities, answers.stopsAnswer)),
    route('plans.unplanned', 'GET', '/api/activities/no-activity-plan', see, query(handle.unplannedInput, handle.unplannedActivities, answers.unplannedAnswer)),
    route('plans.dayRoutes', 'GET', `${path}/day-routes`, see, query(handle.dayInput, handle.dayRoutes, answers.dayRoutesAnswer), { own: true, summary: 'All routes of a day, stop by stop' }),
    route('plans.dayOverview', 'GET', `${path}/day-overview`, overview, query(dayOverviewInput, dayOverview, answers.dayOverviewAnswer), { own: true, summary: 'What each agent planned and did on a day' }),
    route('plans.track', 'GET', `${path}/:id/track`, see, query(trackInput, planTrack, answers.trackAnswer), { own: true, summary: 'Planned stops against visits and the way driven' }),
    route('plans.order', 'POST', `${path}/order`, plan, query(input.previewInput, previewOrder, answers.orderAnswer), { own: true, summary: 'A shorter order of stops with their times; writes nothing' }),
    route('plans.conflicts', 'POST', `${path}/conflicts`, plan, query(input.previewInput, previewConflicts, answers.conflictsAnswer), { own: true, summary: 'What cannot be kept in a plan being made; writes nothing' }),
    route('plans.nearby', 'POST', `${path}/nearby`, plan, query(nearbyInput, nearRoute, answers.nearbyAnswer), { own: true, summary: 'Leads and clients who are due near the way of a day; writes nothing' }),
  ],
  screens: [
    screen(screenPath, see, listOf(activityPlan, { overrides: { title: 'Route Plans' } }), { menu: { under: 'sales', label: 'Route Plans', icon: 'route', order: 9 } }),
    screen(`${screenPath}/create`, may('SALES/ACTIVITIES/ACTIVITY_PLANS/CREATE'), customOf(activityPlan, 'create', 'route-plan-editor', 'New route plan'), { offline: true }),
    screen(`${screenPath}/:id/edit`, may('SALES/ACTIVITIES/ACTIVITY_PLANS/EDIT'), customOf(activityPlan, 'edit', 'route-plan-editor', 'Edit route plan'), { offline: true }),
    screen(`${screenPath}/:id/map-view`, see, customOf(activityPlan, 'view', 'route-plan-drive', 'Route'), { layout: 'plain', offline: true }),
    screen(`${screenPath}/map-overview`, see, custom('route-plan-overview', 'Routes of the day'), { layout: 'plain', offline: true }),
    screen(`${screenPath}/day-overview`, overview, custom('route-plan-day', 'Day overview'), { offline: true, menu: { under: 'sales', label: 'Day overview', icon: 'eye', order: 10 } }),
  ],
})
