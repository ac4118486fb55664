import { anySession, defineArea, may, open, route } from '../../kernel/area.ts'
import { command, noInput, publicCommand, query } from '../../kernel/resource/operations.ts'
import type { Area } from '../../kernel/types.ts'
import { syncEntities } from '../../kernel/sync/entities.ts'
import { relabelJob } from '../../kernel/sync/relabel.ts'
import * as answers from './sync.answers.ts'
import * as sync from './sync.handlers.ts'

/** What devices exchange with the server, and what the office sees of it; the other areas say what may be synced. */
export function syncArea(areas: readonly Area[]): Area {
  const entities = syncEntities(areas)
  sync.useEntities(entities)
  return defineArea({
    name: 'sync',
    jobs: [relabelJob(entities)],
    routes: [
      route('sync.ping', 'GET', '/api/ping', open('tells a device that the server, and not only the network, answers and can work'), publicCommand(noInput, sync.ping, answers.pingAnswer), { own: true }),
      route('sync.push', 'POST', '/api/sync/push', anySession, command(sync.pushInput, sync.push), { own: true, ownTransaction: true, bodyLimit: 2_097_152, summary: 'A batch of changes of a device; a verdict each' }),
      route('sync.pull', 'GET', '/api/sync/pull', anySession, query(sync.pullInput, sync.pull), { own: true, summary: 'Changes in the caller’s reach after a cursor' }),
      route('sync.keepDeadLetters', 'POST', '/api/sync/dead-letter', anySession, command(sync.deadLetterInput, sync.keepDeadLetters, answers.keptAnswer), { own: true, bodyLimit: 2_097_152 }),
      route('sync.deadLetters', 'GET', '/api/sync/dead-letters', may('ADMIN/USERS', 'SALES/TEAMS'), query(noInput, sync.listDeadLetters, answers.deadLettersAnswer), { own: true }),
      route('sync.handleDeadLetters', 'POST', '/api/sync/dead-letters/handle', may('ADMIN/USERS', 'SALES/TEAMS'), command(sync.handleInput, sync.handleDeadLetters, answers.handledAnswer), { own: true }),
      route('sync.devices', 'GET', '/api/sync/devices', may('ADMIN/USERS', 'SALES/TEAMS'), query(noInput, sync.listDevices, answers.devicesAnswer), { own: true }),
      route('sync.conflicts', 'GET', '/api/sync/conflicts', anySession, query(noInput, sync.listConflicts, answers.conflictsAnswer), { own: true }),
      route('sync.resolveConflict', 'POST', '/api/sync/conflicts/resolve', anySession, command(sync.resolveInput, sync.resolveConflict, answers.resolvedAnswer), { own: true }),
    ],
  })
}
