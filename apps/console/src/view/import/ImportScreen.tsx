import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Alert } from 'antd'
import { useState } from 'react'
import { queryClient } from '../../data/query-client.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { explainFailure } from '../actions/call.ts'
import { ImportStart } from './ImportStart.tsx'
import { ImportVerdicts, type ImportOutcome } from './ImportVerdicts.tsx'
import './import.css'

/** What an import of one kind of records says and does; its texts are translated already. */
export interface ImportKind<Content> {
  title: string
  help: string
  /** Endings of files that may be chosen, as of an input. */
  accept: string
  /** A file to begin with. */
  example: { name: string; text: string }
  /** Where the records are shown when they are made. */
  list: string
  /** Headings of an outcome's cells. */
  columns: readonly string[]
  /** What of a file is sent, at the trial and again when it is meant; throws an Error with words for whoever chose it. */
  read(file: File): Promise<Content> | Content
  send(content: Content, dryRun: boolean): Promise<ImportOutcome>
  words: {
    /** So many can be made. */ possible(count: number): string
    /** On the button that makes them. */ make(count: number): string
    /** They are made. */ made(count: number): string
  }
}

/** Records from a file: what would become of each row first, then all of them or none. */
export function ImportScreen<Content>({ kind }: { kind: ImportKind<Content> }) {
  const navigate = useNavigate()
  const [name, setName] = useState<string>()
  const trial = useMutation({
    mutationFn: async (file: File) => {
      const content = await kind.read(file)
      return { content, outcome: await kind.send(content, true) }
    },
  })
  const commit = useMutation({
    mutationFn: (content: Content) => kind.send(content, false),
    onSuccess: async ({ made, refused }) => {
      // Somebody may have taken a name or an identifier since the trial: then nothing was made.
      if (refused > 0) return
      await queryClient.invalidateQueries({ queryKey: ['records'] })
      toast.success({ title: kind.words.made(made) })
      await navigate({ to: kind.list })
    },
  })
  const choose = (file: File): void => {
    setName(file.name)
    commit.reset()
    trial.mutate(file)
  }
  const failure = commit.error ?? trial.error
  return (
    <div className="import">
      <ImportStart
        title={kind.title}
        help={kind.help}
        accept={kind.accept}
        example={kind.example}
        hasFile={name !== undefined}
        isRead={trial.data !== undefined}
        isBusy={trial.isPending}
        onChoose={choose}
      />
      {failure ? (
        <Alert type="error" showIcon role="alert" title={explainFailure(failure).message} description={<Faults error={failure} />} />
      ) : null}
      {trial.data && !trial.isPending ? (
        <ImportVerdicts
          name={name ?? ''}
          kind={kind}
          outcome={commit.data ?? trial.data.outcome}
          isBusy={commit.isPending}
          onCommit={() => commit.mutate(trial.data.content)}
        />
      ) : null}
    </div>
  )
}

function Faults({ error }: { error: Error & { fields?: readonly { field: string; message: string }[] } }) {
  if (!error.fields || error.fields.length === 0) return null
  return (
    <ul className="import-faults">
      {error.fields.map(({ field, message }) => (
        <li key={`${field} ${message}`}>{field === 'file' ? `${t('The file')} ${t(message)}` : `${field} ${t(message)}`}</li>
      ))}
    </ul>
  )
}
