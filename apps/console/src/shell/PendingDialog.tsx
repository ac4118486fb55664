import { Alert, Button, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { useConnection } from '../data/connection.ts'
import { setPendingDialog } from './sign-out.ts'
import { t } from '../session/labels.ts'

interface Question {
  pending: number
  answer: (goesOn: boolean) => void
}

/** Before a sign-out with unsent changes: send them now, keep them sealed on this device, or take a copy along. */
export function PendingDialog() {
  const [question, setQuestion] = useState<Question | null>(null)
  useEffect(() => {
    setPendingDialog(
      (pending) =>
        new Promise((resolve) => {
          setQuestion({
            pending,
            answer: (goesOn) => {
              setQuestion(null)
              resolve(goesOn)
            },
          })
        }),
    )
    return () => setPendingDialog(null)
  }, [])
  return question && <Dialog {...question} />
}

function Dialog({ pending, answer }: Question) {
  const { isOnline } = useConnection()
  const [isBusy, setBusy] = useState(false)
  const [left, setLeft] = useState(pending)
  const [isExported, setExported] = useState(false)
  const sync = async (): Promise<void> => {
    setBusy(true)
    const { pendingCount, syncNow } = await import('../offline/sync/status.ts')
    await syncNow()
    const rest = await pendingCount()
    setBusy(false)
    setLeft(rest)
    if (rest === 0) answer(true)
  }
  const takeCopy = async (): Promise<void> => {
    const { exportLog } = await import('../offline/export.ts')
    await exportLog()
    setExported(true)
  }
  return (
    <Modal
      open
      title={t('{{count}} changes are not sent yet', { count: left })}
      onCancel={() => answer(false)}
      footer={[
        <Button key="copy" onClick={() => void takeCopy()}>
          {t('Export')}
        </Button>,
        <Button key="keep" onClick={() => answer(true)}>
          {t('Keep on this device and sign out')}
        </Button>,
        <Button key="sync" type="primary" loading={isBusy} disabled={!isOnline} onClick={() => void sync()}>
          {t('Sync now')}
        </Button>,
      ]}
    >
      {left < pending && (
        <Alert
          type="warning"
          showIcon
          role="status"
          className="o-form-error"
          title={t('Some changes could not be sent')}
          description={t('They stay on this device until you sign in again.')}
        />
      )}
      {isExported && <Alert type="success" showIcon role="status" className="o-form-error" title={t('A copy was saved as a file')} />}
      <p>
        {t('Changes you keep stay locked on this device and are sent when you sign in here again.')}{' '}
        {!isOnline && t('You are offline, so they cannot be sent now.')}
      </p>
    </Modal>
  )
}
