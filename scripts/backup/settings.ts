import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileShipper } from '@outpost/platform/backup/files'
import { bucketPlace, folderPlace, type FilePlace } from '@outpost/platform/backup/places'
import { bucketStore, folderStore, type BackupStore } from '@outpost/platform/backup/store'
import { readEnv } from '@outpost/platform/env'
import { z } from 'zod'

/** Each setting of backups with what it means: `backup.env.example` is written from it. */
export const backupSettings = z.object({
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be an address like postgres://fx_backup:password@host:5432/outpost' })
    .optional()
    .describe('What is backed up, with the login of fx_backup (BACKUP_PASSWORD) or a superuser; without it the Postgres under DATA_DIR.'),
  DATA_DIR: z.string().default('.data').describe('Where the embedded Postgres is.'),
  BACKUP_DIR: z.string().optional().describe('Folder of the backups: another disc or a mounted share, not the disc of the database.'),
  BACKUP_S3_BUCKET: z.string().optional().describe('Bucket of the backups, instead of a folder.'),
  BACKUP_S3_ENDPOINT: z.url().optional().describe('Address of an S3-compatible store; without it AWS.'),
  BACKUP_S3_REGION: z.string().optional().describe('Region of the bucket.'),
  BACKUP_S3_ACCESS_KEY: z.string().optional().describe('Key of the bucket.'),
  BACKUP_S3_SECRET_KEY: z.string().optional().describe('Secret of the key.'),
  BACKUP_S3_PREFIX: z.string().default('').describe('What keys in the bucket begin with.'),
  BACKUP_WAL: z
    .string()
    .optional()
    .describe('Folder in which Postgres lays its WAL down; `npm run backup` takes it from there to the backups.'),
  BACKUP_FILES: z.string().optional().describe('Folder of the uploaded files (DATA_DIR/files of the server), unless they lie in a bucket.'),
  BACKUP_FILES_S3_BUCKET: z
    .string()
    .optional()
    .describe('Bucket of the uploaded files (S3_BUCKET of the server): they are copied to the backups.'),
  BACKUP_FILES_S3_ENDPOINT: z.url().optional().describe('Address of its store; without it AWS.'),
  BACKUP_FILES_S3_REGION: z.string().optional().describe('Region of that bucket.'),
  BACKUP_FILES_S3_ACCESS_KEY: z
    .string()
    .optional()
    .describe('Key that lists and reads that bucket; to lay files down there it must write too.'),
  BACKUP_FILES_S3_SECRET_KEY: z.string().optional().describe('Secret of that key.'),
  BACKUP_KEEP_DAYS: z.coerce.number().int().min(1).default(14).describe('Days back to each of whose moments one can go.'),
  BACKUP_EVERY_HOURS: z.coerce.number().min(0.01).default(24).describe('Hours between two base backups of `npm run backup -- watch`.'),
  BACKUP_DRILL_DAYS: z.coerce.number().min(0).default(7).describe('Days between two drills of it, which restore and compare; 0 does none.'),
  BACKUP_WORK: z.string().default(tmpdir()).describe('Folder for what is on its way: room for a drill, the size of the database.'),
})
export type BackupSettings = z.output<typeof backupSettings>

/** Reads the settings of backups; throws one line for each wrong one. Relative folders start at the project's root. */
export function readBackupSettings(source?: Record<string, string | undefined>): BackupSettings {
  const settings = readEnv(backupSettings, source)
  const root = resolve(import.meta.dirname, '../..')
  const from = (path: string | undefined) => (path === undefined ? undefined : resolve(root, path))
  return {
    ...settings,
    DATA_DIR: resolve(root, settings.DATA_DIR),
    BACKUP_DIR: from(settings.BACKUP_DIR),
    BACKUP_WAL: from(settings.BACKUP_WAL),
    BACKUP_FILES: from(settings.BACKUP_FILES) ?? ownFiles(settings.DATABASE_URL, resolve(root, settings.DATA_DIR)),
  }
}

/** On one machine the server's files lie beside the embedded Postgres, once there are any. */
function ownFiles(databaseUrl: string | undefined, dataDir: string): string | undefined {
  const folder = join(dataDir, 'files')
  return databaseUrl === undefined && existsSync(folder) ? folder : undefined
}

/** The shipper of the settings; undefined when no place of files is named. */
export function filesOf(settings: BackupSettings, store: BackupStore) {
  const place = bucketOfFiles(settings) ?? (settings.BACKUP_FILES === undefined ? undefined : folderPlace(settings.BACKUP_FILES))
  return place && fileShipper({ place, store, workDir: settings.BACKUP_WORK, keepDays: settings.BACKUP_KEEP_DAYS })
}

/** The bucket of uploaded files; undefined when none is named. Throws when it lacks its key, or is that of the backups. */
export function bucketOfFiles(settings: BackupSettings): FilePlace | undefined {
  const { BACKUP_FILES_S3_BUCKET: bucket, BACKUP_FILES_S3_ACCESS_KEY: accessKeyId, BACKUP_FILES_S3_SECRET_KEY: secretAccessKey } = settings
  if (bucket === undefined) return undefined
  if (accessKeyId === undefined) throw new Error('BACKUP_FILES_S3_ACCESS_KEY: is needed with BACKUP_FILES_S3_BUCKET')
  if (secretAccessKey === undefined) throw new Error('BACKUP_FILES_S3_SECRET_KEY: is needed with BACKUP_FILES_S3_BUCKET')
  const { BACKUP_FILES_S3_ENDPOINT: endpoint, BACKUP_FILES_S3_REGION: region } = settings
  if (bucket === settings.BACKUP_S3_BUCKET && endpoint === settings.BACKUP_S3_ENDPOINT)
    throw new Error('BACKUP_FILES_S3_BUCKET: is the bucket of the backups too: what loses one would lose both')
  return bucketPlace({ endpoint, region, bucket, accessKeyId, secretAccessKey }, settings.BACKUP_WORK)
}

/** The store of the settings; undefined when none is named. Throws when a bucket lacks its key. */
export function storeOf(settings: BackupSettings): BackupStore | undefined {
  const { BACKUP_DIR, BACKUP_S3_BUCKET: bucket, BACKUP_S3_ACCESS_KEY: accessKeyId, BACKUP_S3_SECRET_KEY: secretAccessKey } = settings
  if (bucket === undefined) return BACKUP_DIR === undefined ? undefined : folderStore(BACKUP_DIR)
  if (BACKUP_DIR !== undefined) throw new Error('BACKUP_DIR: BACKUP_S3_BUCKET is set too; only one of them may be')
  if (accessKeyId === undefined) throw new Error('BACKUP_S3_ACCESS_KEY: is needed with BACKUP_S3_BUCKET')
  if (secretAccessKey === undefined) throw new Error('BACKUP_S3_SECRET_KEY: is needed with BACKUP_S3_BUCKET')
  const { BACKUP_S3_ENDPOINT: endpoint, BACKUP_S3_REGION: region, BACKUP_S3_PREFIX: prefix } = settings
  return bucketStore({ endpoint, region, bucket, accessKeyId, secretAccessKey, prefix: prefix.replace(/\/+$/, '') })
}
