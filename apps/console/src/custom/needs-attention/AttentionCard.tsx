import { pick } from 'es-toolkit/object/pick'
import { Link } from '@tanstack/react-router'
import { Button } from 'antd'
import { useModal } from '../../feedback/ModalHost.tsx'
import { useState } from 'react'
import { ApiError } from '../../data/api.ts'
import { useConnection } from '../../data/connection.ts'
import { isCommand } from '../../offline/store/changes.ts'
import { currentOffline } from '../../offline/current.ts'
import { keptKind, titleOf } from '../../offline/kinds.ts'
import type { Attention } from '../../offline/store/shapes.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { formatDateTime, formatRelative } from '../../view/formats.ts'
import { addToExisting, decide, giveUp, sendAgain } from './actions.ts'
import { ChoiceTable, CompareTable } from './CompareTable.tsx'
import { Dependants, useDependants } from './Dependants.tsx'
import { RetryForm } from './RetryForm.tsx'
import { attentionText, editableFields, reasonText } from './texts.ts'

const headings: Readonly<Record<string, string>> = {
  INSERT: 'New {{what}}: {{name}}',
  CREATE: 'New {{what}}: {{name}}',
  UPDATE: 'Change of {{what}}: {{name}}',
  DELETE: 'Removal of {{what}}: {{name}}',
}

/** One refused or merged change: what happened, both sides, and what can be done. */
export function AttentionCard({ attention }: { attention: Attention }) {
  const modal = useModal()
  const { isOnline } = useConnection()
  const [isEditing, setEditing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const kind = keptKind(attention.entityType)
  const { title, advice } = attentionText(attention)
  const waiting = useDependants(attention)
  const what = t(kind?.label ?? attention.entityType).toLowerCase()
  const heading = t(headings[attention.changeType] ?? '{{what}}: {{name}}', { what, name: kind ? titleOf(kind, attention.mine) : '' })

  async function run(work: () => Promise<void>, message: string): Promise<void> {
    setBusy(true)
    try {
      await work()
      toast.success({ title: message })
    } catch (error) {
      toast.danger({ title: error instanceof ApiError || error instanceof Error ? error.message : t('That did not work.') })
    } finally {
      setBusy(false)
    }
  }
  const askGiveUp = () =>
    modal.confirm({
      title: t('Give this change up?'),
      content: [
        t('What you entered is removed from this device and cannot be brought back.'),
        ...(waiting.length > 0 ? [t('What waits for this record is sent without it.')] : []),
      ].join(' '),
      okText: t('Discard'),
      okButtonProps: { danger: true },
      cancelText: t('Keep it'),
      onOk: () => run(() => giveUp(attention), 'The change was discarded.'),
    })
  const isMerged = attention.reason === 'merged'
  const isNew = attention.changeType === 'INSERT' || attention.changeType === 'CREATE'
  const mend = isNew && !isMerged ? currentOffline()?.additions?.[attention.entityType]?.mendAt?.(attention.mine) : undefined
  const mayCorrect = !isMerged && attention.changeType !== 'DELETE' && editableFields(attention).length > 0
  return (
    <article className="na-card" aria-busy={isBusy}>
      <div className="na-card-head">
        <h2>{heading}</h2>
        <time dateTime={attention.at} title={formatDateTime(attention.at)}>
          {formatRelative(attention.at)}
        </time>
      </div>
      <p className="na-why" data-tone={isMerged ? 'soft' : 'hard'}>
        <strong>{t(title)}</strong> {t(advice)}
        {attention.message && !advice.includes(attention.message) && attention.message !== title ? ` (${reasonText(attention)})` : ''}
      </p>
      <Dependants changes={waiting} />
      {isMerged ? (
        <ChoiceTable
          attention={attention}
          isBusy={isBusy}
          onDecide={(mine) =>
            void run(() => decide(attention, mine), mine.length > 0 ? 'Your values are sent again.' : 'The office\u2019s values stay.')
          }
        />
      ) : isEditing ? (
        <RetryForm
          attention={attention}
          isBusy={isBusy}
          onCancel={() => setEditing(false)}
          onSend={(values) => void run(() => sendAgain(attention, values), 'The change is sent again.')}
        />
      ) : (
        <CompareTable attention={attention} />
      )}
      {!isEditing && !isMerged && (
        <div className="na-buttons">
          {attention.existingId && kind?.edit && (
            <Link className="na-link" to={kind.edit.replace(':id', attention.existingId)}>
              {t('Open existing')}
            </Link>
          )}
          {attention.existingId && (
            <Button
              disabled={!isOnline}
              loading={isBusy}
              onClick={() => void run(() => addToExisting(attention), 'Your values are added to the existing record.')}
            >
              {t('Add my values to it')}
            </Button>
          )}
          {attention.code === 'GONE' && attention.changeType !== 'DELETE' && !isCommand(attention.change) && (
            <Button
              loading={isBusy}
              onClick={() => void run(() => sendAgain(attention, attention.mine), 'The record is restored with your values.')}
            >
              {t('Restore with my values')}
            </Button>
          )}
          {mend && (
            <Link className="na-link" to={mend.to as never} search={mend.search as never}>
              {t('Open and correct')}
            </Link>
          )}
          {mayCorrect && (
            <Button type="primary" onClick={() => setEditing(true)}>
              {t('Change and retry')}
            </Button>
          )}
          {['ERROR', 'TOO_LARGE'].includes(attention.code) && attention.changeType !== 'DELETE' && !isCommand(attention.change) && (
            <Button loading={isBusy} onClick={() => void run(() => sendAgain(attention, attention.mine), 'The change is sent again.')}>
              {t('Try again')}
            </Button>
          )}
          {isCommand(attention.change) && (
            <Button
              loading={isBusy}
              onClick={() =>
                void run(() => sendAgain(attention, pick(attention.mine, Object.keys(attention.change.patch))), 'The change is sent again.')
              }
            >
              {t('Try again')}
            </Button>
          )}
          <Button danger onClick={askGiveUp}>
            {t('Discard')}
          </Button>
        </div>
      )}
    </article>
  )
}
