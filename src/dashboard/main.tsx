import { createRoot } from 'react-dom/client';
import { openSession } from './app/session.ts';

const root = document.getElementById('root');
if (root) {
  const { person } = await openSession();
  createRoot(root).render(<p>Signed in as {person}</p>);
}
