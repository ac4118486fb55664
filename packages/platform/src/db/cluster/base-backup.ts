import { PassThrough, type Readable } from 'node:stream'
import pg from 'pg'

/** A base backup while it is read: a tar of the data directory with the WAL that it needs. */
export interface BaseBackup {
  tar: Readable
  /** Settles when the server has ended the backup; rejects when it could not. */
  done: Promise<BackupPosition>
}

/** Where a backup begins in the WAL, and whose it is. */
export interface BackupPosition {
  startLsn: string
  /** Name of the first WAL segment that a recovery from it reads. */
  firstSegment: string
  timeline: number
  /** Of the cluster; WAL of another one does not fit. */
  systemId: string
  /** server_version_num. */
  version: number
}

/** Message types of the copy stream of BASE_BACKUP (PostgreSQL 15 and later): one archive, its bytes, what is ignored. */
const newArchive = 0x6e
const bytes = 0x64
const segmentBytes = 16 * 1024 * 1024

/**
 * Reads a base backup through the replication protocol, so that no program of Postgres is needed here. The login in `url` must be a
 * superuser or have REPLICATION. Tablespaces other than the default one are refused.
 */
export function readBaseBackup(url: string, { label }: { label: string }): BaseBackup {
  const tar = new PassThrough({ highWaterMark: 1_048_576 })
  const done = run(url, label, tar)
  done.then(
    () => tar.end(),
    (error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return { tar, done }
}

async function run(url: string, label: string, tar: PassThrough): Promise<BackupPosition> {
  const options: pg.ClientConfig & { replication: string } = {
    connectionString: url,
    application_name: 'outpost backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // A walsender of a database: it passes the ordinary lines of pg_hba.conf.
    replication: 'database',
  }
  const client = new pg.Client(options)
  // The query's own error is what the caller gets; this one would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ systemid: string; timeline: number }>('IDENTIFY_SYSTEM')
    const { rows: sizes } = await client.query<{ wal_segment_size: string }>('SHOW wal_segment_size')
    const { rows: versions } = await client.query<{ server_version_num: string }>('SHOW server_version_num')
    if (sizes[0]?.wal_segment_size !== '16MB') throw new Error('The cluster has WAL segments of another size than 16 MB')
    const system = rows[0]
    if (!system) throw new Error('The server does not say which cluster it is')
    const { lsn, timeline } = await copyOut(
      client,
      `BASE_BACKUP (LABEL '${label.replaceAll("'", "''")}', WAL true, CHECKPOINT 'fast', WAIT false)`,
      tar,
    )
    return {
      startLsn: lsn,
      timeline,
      firstSegment: segmentOf(timeline, lsn),
      systemId: String(system.systemid),
      version: Number(versions[0]?.server_version_num),
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Name of the WAL segment that holds a position, e.g. 000000010000000000000003. */
export function segmentOf(timeline: number, lsn: string): string {
  const [high = '', low = ''] = lsn.split('/')
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
  return `${hex(timeline)}${hex(Number.parseInt(high, 16))}${hex(Math.floor(Number.parseInt(low, 16) / segmentBytes))}`
}

/** What pg's client calls on the query that runs; its own query class cannot read COPY. */
interface Connection {
  query(text: string): void
  stream: { pause(): unknown; resume(): unknown }
}

/** Sends the command and writes the archive's bytes to `tar`, no faster than they are read. Resolves with where the backup starts. */
function copyOut(client: pg.Client, command: string, tar: PassThrough): Promise<{ lsn: string; timeline: number }> {
  return new Promise((done, refuse) => {
    const rows: (string | null)[][] = []
    let archives = 0
    let isPaused = false
    const query = {
      submit(connection: Connection) {
        connection.query(command)
      },
      handleRowDescription: () => undefined,
      handleDataRow: ({ fields }: { fields: (Buffer | string | null)[] }) =>
        void rows.push(fields.map((field) => field?.toString() ?? null)),
      handleCopyData({ chunk }: { chunk: Buffer }, { stream }: Connection) {
        if (chunk[0] === newArchive) archives += 1
        if (chunk[0] !== bytes || archives !== 1) return
        // The parser reuses its memory.
        if (tar.write(Buffer.from(chunk.subarray(1))) || isPaused) return
        // What has arrived already still comes, some kilobytes.
        isPaused = true
        stream.pause()
        const goOn = () => {
          tar.off('drain', goOn).off('close', goOn)
          isPaused = false
          stream.resume()
        }
        tar.on('drain', goOn).on('close', goOn)
      },
      handleCommandComplete: () => undefined,
      handleError: (error: Error) => refuse(error),
      handleReadyForQuery() {
        const [lsn, timeline] = rows[0] ?? []
        if (archives > 1) refuse(new Error('The cluster has tablespaces of its own, which this backup does not hold: use pg_basebackup'))
        else if (!lsn || !timeline) refuse(new Error('The server sent no backup'))
        else done({ lsn, timeline: Number(timeline) })
      },
    }
    // The types know pg's own queries only; a client takes whatever can be submitted.
    client.query(query as unknown as pg.Submittable)
    client.once('end', () => refuse(new Error('The connection ended before the backup was whole')))
  })
}
