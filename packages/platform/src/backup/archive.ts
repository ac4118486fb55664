/**
 * The settings with which Postgres lays each WAL segment down in a folder, whole, at the latest `seconds` after it began. The folder
 * must be writable for the user that Postgres runs as.
 */
export function archiveSettings(spool: string, seconds = 60): Record<string, string> {
  if (!/^[\w./-]+$/.test(spool)) throw new Error(`${spool}: a folder for WAL is named in letters, digits, dots, dashes and underscores`)
  const file = `${spool}/%f`
  return {
    archive_mode: 'on',
    archive_timeout: `${seconds}s`,
    // A segment that was laid down before and is the same counts as archived; another one under its name never replaces it.
    archive_command: `cmp -s %p ${file} || (test ! -f ${file} && cp %p ${file}.part && sync ${file}.part && mv ${file}.part ${file})`,
  }
}
