import { Alert, Input, Modal } from 'antd'
import { useRef } from 'react'
import type { InputRef } from 'antd'
import type { RevealView } from '@outpost/contract/call-views'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'

/** A secret that is shown this once. A click beside it or Escape does not put it away: it could not be brought back. */
export function RevealDialog({ reveals, secret, onClose }: { reveals: RevealView; secret: string; onClose: () => void }) {
  const field = useRef<InputRef>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      toast.success({ title: t('Copied') })
    } catch {
      // Browsers refuse the clipboard without https: the text is selected, to be copied by hand.
      field.current?.select()
      toast.info({ title: t('Press Ctrl C to copy') })
    }
  }
  return (
    <Modal
      open
      title={t(reveals.title)}
      mask={{ closable: false }}
      keyboard={false}
      closable={false}
      okText={t('Copy')}
      cancelText={t('I have stored it')}
      onOk={() => void copy()}
      onCancel={onClose}
      afterOpenChange={(isOpen) => isOpen && field.current?.select()}
    >
      <Alert type="warning" showIcon title={t(reveals.body)} className="reveal-warning" />
      <Input ref={field} readOnly value={secret} aria-label={t(reveals.title)} className="reveal-secret" />
    </Modal>
  )
}
