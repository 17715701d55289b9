import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { texts } from '../../texts/texts.ts';
import { IconButton } from '../button.tsx';

type DialogProps = {
  readonly title: string;
  readonly children: ReactNode;
  /** The buttons below. Without them, the children draw the whole dialog. */
  readonly foot?: ReactNode;
  readonly onClose: () => void;
  /** False while an act is under way, so that its outcome is seen. */
  readonly mayClose?: boolean;
  /** True for much text, such as a form of many fields. */
  readonly isWide?: boolean;
};

/** A dialog above the page. The focus stays inside, and returns to its place at the end. */
export function Dialog({ title, children, foot, onClose, mayClose = true, isWide = false }: DialogProps) {
  return (
    <ModalOverlay
      isOpen
      isDismissable={mayClose}
      isKeyboardDismissDisabled={!mayClose}
      onOpenChange={(isOpen) => isOpen || onClose()}
      className="scrim"
    >
      <Modal className={isWide ? 'dialog-frame wide-frame' : 'dialog-frame'}>
        <AriaDialog className="dialog">
          <header>
            <Heading slot="title">{title}</Heading>
            <IconButton icon="close" label={texts.action.close} onPress={onClose} isDisabled={!mayClose} />
          </header>
          {foot ? <div className="dialog-body">{children}</div> : children}
          {foot && <div className="dialog-foot">{foot}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
