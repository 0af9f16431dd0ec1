"""Word vectors inside an encoder, as typos are added: `study`, its `tasks`, and `noisy_texts`."""
