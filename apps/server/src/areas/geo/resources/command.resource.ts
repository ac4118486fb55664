import { commandNames, commandTypeOf } from '@outpost/contract/geo/commands'
import { remoteResource } from '../../../kernel/remote/remote.ts'

/** The commands as a choice. */
export const commandOptions = commandNames.map((value) => {
  const { label = value, colour } = commandTypeOf(value) ?? {}
  return { value, label, ...(colour === undefined ? {} : { colour }) }
})

/** A command kept under a name for use again. What may stop a vehicle asks for a second person when it is sent. */
export const savedCommand = remoteResource({
  one: 'command',
  many: 'commands',
  label: 'Command',
  labelMany: 'Commands',
  title: 'name',
  calls: 'geo.commands',
  answers: { one: 'command', many: 'commands' },
  sorts: ['name', 'commandType', 'dateCreated', 'dateModified'],
  ignores: ['type', 'attributes'],
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    commandType: { kind: 'choice', label: 'Command', required: true, options: commandOptions },
    parameters: { kind: 'json', label: 'Parameters', isTechnical: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant' },
    dateCreated: { kind: 'dateTime', label: 'Added', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['name', 'commandType', 'tenantId', 'dateCreated'],
    search: ['name'],
    sort: ['name', 'ASC'],
    size: 100,
    filters: ['name', 'commandType', 'tenantId', 'dateCreated'],
    empty: { title: 'No commands kept yet', body: 'Keep what you send again and again; single ones are sent from a vehicle on the map.' },
  },
  actions: [
    { key: 'commands.send', label: 'Send to devices', scope: 'page', open: '/tracking/commands/send' },
    {
      route: 'commands.remove',
      label: 'Delete',
      scope: 'row',
      danger: true,
      confirm: { title: 'Delete this command?', body: 'What was sent with it stays in the history of the devices.' },
    },
  ],
})
