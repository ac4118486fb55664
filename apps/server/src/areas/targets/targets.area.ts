import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { command, create, noInput, query, remove, restore, update } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { custom, formOf, screen } from '../../kernel/screens/screen.ts'
import { metricsOf } from '../../kernel/declared.ts'
import type { Metric } from '../../kernel/metrics.ts'
import type { Area } from '../../kernel/types.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import * as answers from './target.answers.ts'
import { countedOf, countedScreens } from './counted.ts'
import { partsInput, proposeInput, proposeParts, saveParts } from './distribute.ts'
import { explainTarget, recordsInput, targetProgress } from './explain.ts'
import { milestoneJob } from './milestones.ts'
import { scores, scoresInput } from './scores.ts'
import * as handle from './target.handlers.ts'
import { targetNews } from './target.news.ts'
import { ownReached, reachedAnswer, teamsReached, teamsReachedAnswer } from './target.reached.ts'
import { targetResource } from './target.resource.ts'
import { targetWidgets } from './target.widgets.ts'

const own = { own: true }
const readers = may('SALES/TARGETS')
const viewsOf = (metrics: ReadonlyMap<string, Metric>) => [...metrics.values()].map(({ name: key, label, unit, hasProduct, isBurden }) => ({ key, label, unit, hasProduct, ...(isBurden ? { isBurden } : {}) }))

/** Targets of people, teams and tenants; what was reached is computed from the records of the `areas` and can be traced back to them. */
export function targetsArea(areas: readonly Area[]): Area {
  const metrics = metricsOf(areas)
  const target = targetResource(metrics)
  const counted = countedOf(areas)
  return defineArea({
    name: 'targets',
    notifications: [targetNews],
    resources: [target],
    widgets: targetWidgets,
    routes: [
      route('targets.list', 'GET', '/api/targets', readers, handle.listTargets(target), own),
      route('targets.mine', 'GET', '/api/targets/mine', may('SALES/TARGETS', 'SALES/AGENTS/MYWORK'), query(noInput, (ctx) => handle.myTargets(ctx, target), handle.ownTargetsAnswer(target)), { own: true, summary: 'The caller’s running targets with their figures' }),
      route('targets.reached', 'GET', '/api/home/targets', may('SALES/TARGETS', 'SALES/AGENTS/MYWORK'), query(noInput, (ctx) => ownReached(ctx, target), reachedAnswer), { own: true, summary: 'The caller’s running targets, in percent' }),
      route('targets.teamsReached', 'GET', '/api/home/team-targets', readers, query(noInput, (ctx) => teamsReached(ctx, target), teamsReachedAnswer), { own: true, summary: 'Running targets of branches and teams in reach, in percent' }),
      route('targets.scores', 'GET', '/api/targets/scores', may('SALES/TEAMS'), query(scoresInput(metrics), scores, answers.scoresAnswer), { own: true, summary: 'What people, teams or tenants did in a period, metric by metric' }),
      route('targets.get', 'GET', '/api/targets/:id', readers, { ...query(idInput, (ctx, input) => handle.getTarget(ctx, target, input), handle.targetAnswer(target)), kind: 'get', resource: target }, own),
      route('targets.timeline', 'GET', '/api/targets/:id/timeline', readers, history(target), own),
      route('targets.records', 'GET', '/api/targets/:id/records', readers, query(recordsInput, (ctx, input) => explainTarget(ctx, { target, counted }, input), answers.recordsAnswer), { own: true, summary: 'The records behind a target’s number; their amounts add up to it' }),
      route('targets.progress', 'GET', '/api/targets/:id/progress', readers, query(idInput, (ctx, input) => targetProgress(ctx, target, input), answers.progressAnswer), { own: true, summary: 'Reached and expected by the end of each day' }),
      route('targets.propose', 'GET', '/api/targets/:id/parts', may('SALES/TARGETS/CREATE'), query(proposeInput, (ctx, input) => proposeParts(ctx, target, input), answers.partsAnswer), { own: true, summary: 'How the target would fall to those below' }),
      route('targets.saveParts', 'PUT', '/api/targets/:id/parts', may('SALES/TARGETS/CREATE'), command(partsInput, (ctx, input) => saveParts(ctx, target, input), answers.savedPartsAnswer(target)), { own: true, summary: 'Gives parts of the target to those below' }),
      route('targets.create', 'POST', '/api/targets', may('SALES/TARGETS/CREATE'), create(target), own),
      route('targets.remove', 'POST', '/api/targets/delete', may('SALES/TARGETS/DELETE'), remove(target), own),
      route('targets.restore', 'POST', '/api/targets/restore', may('SALES/TARGETS/DELETE'), restore(target), own),
      route('targets.update', 'PUT', '/api/targets/:id', may('SALES/TARGETS/EDIT'), update(target), own),
    ],
    screens: [
      screen('/sales/targets', readers, custom('target-board', 'Targets', (ctx) => ({
        metrics: viewsOf(metrics), mayCreate: holdsAny(ctx, 'SALES/TARGETS/CREATE'), mayEdit: holdsAny(ctx, 'SALES/TARGETS/EDIT'), mayDelete: holdsAny(ctx, 'SALES/TARGETS/DELETE'),
        currency: ctx.company.currency, timeZone: ctx.company.timeZone, records: countedScreens(counted),
      })), { menu: { under: 'sales', label: 'Targets', icon: 'aim', order: 3 } }),
      screen('/sales/targets/create', may('SALES/TARGETS/CREATE'), formOf(target, { after: '/sales/targets' })),
      screen('/sales/targets/:id/edit', may('SALES/TARGETS/EDIT'), formOf(target, { after: '/sales/targets' })),
    ],
    jobs: [milestoneJob.job],
  })
}
