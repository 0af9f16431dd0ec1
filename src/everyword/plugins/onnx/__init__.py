"""ONNX: the form encoder of a model as a file that other languages and programs can run."""
