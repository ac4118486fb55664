import { call } from '../../../data/calls.ts'
import { t } from '../../../session/labels.ts'
import { ImportScreen, type ImportKind } from '../../../view/import/ImportScreen.tsx'
import type { ImportOutcome } from '../../../view/import/ImportVerdicts.tsx'
import type { CustomProps } from '../../props.ts'
import { readDevices, type ImportRow } from './read-devices.ts'
import { readFences } from './read-fences.ts'

type Call = 'geo.devices.import' | 'geo.geofences.import'

/** Devices or fences from a file. */
export function FleetImport({ view }: CustomProps) {
  return <ImportScreen kind={view.data.of === 'fence' ? fenceKind() : deviceKind()} />
}

const deviceKind = (): ImportKind<ImportRow[]> => ({
  ...common('geo.devices.import'),
  title: t('Import devices'),
  help: t(
    'A CSV file with headings, 500 rows at most. Needed are Name and IMEI; known are also Type, Category, Make, Model, Phone and Contact. They are filed under the branch you work in.',
  ),
  accept: '.csv,.txt',
  list: '/tracking/devices',
  example: { name: 'devices.csv', text: 'Name,IMEI,Make,Model,Phone\nKDA 001A,356307042441013,Teltonika,FMB920,+254712345678\n' },
  read: async (file) => readDevices(await file.text()),
})

const fenceKind = (): ImportKind<ImportRow[]> => ({
  ...common('geo.geofences.import'),
  title: t('Import fences'),
  help: t(
    'GeoJSON, KML, or Traccar’s text with a fence a line; 500 at most. Points become points of interest, areas fences, lines corridors of 100 m to each side unless the file says another radius.',
  ),
  accept: '.geojson,.json,.kml,.txt',
  list: '/tracking/fences',
  example: {
    name: 'fences.txt',
    text: 'Yard; CIRCLE (-1.4563 36.9783, 200)\nTown; POLYGON ((-1.27 36.80, -1.27 36.84, -1.31 36.84, -1.27 36.80))\n',
  },
  read: async (file) => readFences(file.name, await file.text()),
})

const common = (name: Call): Pick<ImportKind<ImportRow[]>, 'columns' | 'send' | 'words'> => ({
  columns: [t('Name')],
  send: (rows, dryRun) => send(name, rows, dryRun),
  words: {
    possible: (count) => t('{{count}} rows can be imported', { count }),
    make: (count) => t('Import {{count}} rows', { count }),
    made: (count) => t('{{count}} rows imported', { count }),
  },
})

async function send(name: Call, rows: readonly ImportRow[], dryRun: boolean): Promise<ImportOutcome> {
  const { data } = await call(name, { body: { dryRun, rows: rows.map(({ values }) => values) } })
  // The service counts what it was sent; people count in their file.
  const judged = data.rows.map(({ row, name: called, problems }) => ({ row: rows[row - 1]?.at ?? row, cells: [called], problems }))
  return { ...data, rows: judged }
}
