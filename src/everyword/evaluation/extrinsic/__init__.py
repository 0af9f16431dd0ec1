"""What vectors are good for: text classifiers and taggers trained on top of them (the only torch in evaluation)."""
