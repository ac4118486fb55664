import { once } from 'es-toolkit/function/once'
import { anySession, defineArea, may, open, route } from '../../kernel/area.ts'
import { command, get, list, noInput, publicCommand, query } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { catalogueOf } from '../../kernel/screens/catalogue.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { detailOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { syncEntities } from '../../kernel/sync/entities.ts'
import { relabelJob } from '../../kernel/sync/relabel.ts'
import type { Area } from '../../kernel/types.ts'
import { markInput, markWorkDevice, phoneAnswer } from '../agents/index.ts'
import { conflictList } from './conflict.list.ts'
import { syncConflict } from './conflict.resource.ts'
import { syncDevice } from './device.resource.ts'
import { changesPanel, deviceChanges, valuesPanel } from './facts.ts'
import { signOutDevice } from './sign-out.ts'
import { openRecord } from './kinds.ts'
import { deadLetter } from './letter.resource.ts'
import { letterForm, letterValues } from './letter.values.ts'
import { replayDeadLetter, replayInput } from './replay.ts'
import { sentChange } from './sent.resource.ts'
import * as answers from './sync.answers.ts'
import * as sync from './sync.handlers.ts'

const administration = may('ADMIN/USERS')
/** Leaders of teams may ask, open the one device that a notification names, and what of it found no place; the lists are administration. */
const office = may('ADMIN/USERS', 'SALES/TEAMS')

/** What devices exchange with the server, and what the office sees of it; the other areas say what may be synced. */
export function syncArea(areas: readonly Area[]): Area {
  const entities = syncEntities(areas)
  const openers = openRecord(areas, entities)
  const letter = deadLetter(entities, openers)
  const conflict = syncConflict({ entities, open: openers, own: (ctx) => sync.ownConflicts(ctx, entities) })
  const catalogue = once(() => catalogueOf(areas))
  const parts = { letter, entities, catalogue }
  const sent = sentChange(entities, openers)
  return defineArea({
    name: 'sync',
    resources: [syncDevice, letter, conflict, sent],
    jobs: [relabelJob(entities)],
    routes: [
      route('sync.ping', 'GET', '/api/ping', open('tells a device that the server, and not only the network, answers and can work'), publicCommand(noInput, sync.ping, answers.pingAnswer), { own: true }),
      route('sync.push', 'POST', '/api/sync/push', anySession, { ...command(sync.pushInput, sync.push(entities), answers.pushAnswer(entities)), documented: answers.pushBody(entities) }, { own: true, sends: 'application/json', ownTransaction: true, bodyLimit: 2_097_152, takesGzip: true, summary: 'A batch of changes of a device; a verdict each' }),
      route('sync.pull', 'GET', '/api/sync/pull', anySession, query(sync.pullInput, sync.pull(entities), answers.pullAnswer(entities)), { own: true, sends: 'application/json', summary: 'Changes in the caller’s reach after a cursor' }),
      route('sync.keepDeadLetters', 'POST', '/api/sync/dead-letter', anySession, command(sync.deadLetterInput, sync.storeDeadLetters, answers.keptAnswer), { own: true, bodyLimit: 2_097_152 }),
      route('sync.deadLetters', 'GET', '/api/sync/dead-letters', office, list(letter), { own: true }),
      route('sync.deadLetter', 'GET', '/api/sync/dead-letters/:id', office, get(letter), { own: true }),
      route('sync.deadLetterValues', 'GET', '/api/sync/dead-letters/:id/values', office, query(idInput, letterValues(parts), answers.letterValuesAnswer), { own: true, summary: 'What was sent, field by field, beside what the record holds now' }),
      route('sync.deadLetterForm', 'GET', '/api/sync/dead-letters/:id/form', office, query(idInput, letterForm(parts), answers.letterFormAnswer), { own: true, summary: 'The fields of it that can be corrected, with what was sent' }),
      route('sync.handleDeadLetters', 'POST', '/api/sync/dead-letters/handle', office, command(sync.handleInput, sync.handleDeadLetters, answers.handledAnswer), { own: true }),
      route('sync.replayDeadLetter', 'POST', '/api/sync/dead-letters/:id/replay', office, command(replayInput, replayDeadLetter(entities), answers.replayedAnswer), { own: true, ownTransaction: true, summary: 'Carries a change out that could not be placed, as the caller’s own' }),
      route('sync.devices', 'GET', '/api/sync/devices', office, list(syncDevice), { own: true }),
      route('sync.device', 'GET', '/api/sync/devices/:id', office, get(syncDevice), { own: true }),
      route('sync.signOutDevice', 'POST', '/api/sync/devices/:id/sign-out', may('ADMIN/USERS/EDIT'), command(idInput, signOutDevice, answers.signedOutAnswer), { own: true, inPerson: true, summary: 'Ends the session of a device that was lost' }),
      route('sync.markAsCompanys', 'POST', '/api/sync/devices/:id/company-phone', may('ADMIN/SETTINGS'), command(markInput, markWorkDevice, phoneAnswer), { own: true, inPerson: true, peopleOnly: true, summary: 'Marks a work device as the company’s: followed in working time without consent; its person is told' }),
      route('sync.deviceChanges', 'GET', '/api/sync/devices/:id/changes', office, query(idInput, deviceChanges(entities), answers.deviceChangesAnswer), { own: true, summary: 'What a device sent last, with the verdicts' }),
      route('sync.conflicts', 'GET', '/api/sync/conflicts', anySession, conflictList(conflict, entities, catalogue), { own: true }),
      route('sync.resolveConflict', 'POST', '/api/sync/conflicts/resolve', anySession, command(sync.resolveInput, sync.resolveConflict(entities), answers.resolvedAnswer), { own: true }),
      route('sync.sent', 'GET', '/api/sync/sent', anySession, list(sent), { own: true, summary: 'What became of the changes of the caller’s devices' }),
    ],
    panels: [on('fieldDevice', by(letter, 'device'))],
    screens: [
      screen('/admin/work-devices', administration, listOf(syncDevice, { source: 'sync.devices' }), { menu: { under: 'administration', label: 'Work devices', icon: 'mobile', order: 80 } }),
      screen('/admin/work-devices/:id/view', office, detailOf(syncDevice, { panels: [changesPanel] })),
      screen('/admin/dead-letters', administration, listOf(letter, { source: 'sync.deadLetters', overrides: { exportReport: 'exportList' } }), { menu: { under: 'administration', label: 'Changes not placed', icon: 'warning', order: 81 } }),
      screen('/admin/dead-letters/:id/view', office, detailOf(letter, { panels: [valuesPanel] })),
      screen('/admin/conflicts', administration, listOf(conflict, { source: 'sync.conflicts' }), { menu: { under: 'administration', label: 'Conflicts', icon: 'swap', order: 82 } }),
      screen('/offline/sent', anySession, listOf(sent, { source: 'sync.sent', overrides: { title: 'What became of my work' } })),
    ],
  })
}
