import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { showTheme } from './app/theme.ts';

showTheme();
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
